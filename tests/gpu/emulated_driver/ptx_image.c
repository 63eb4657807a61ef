#define _GNU_SOURCE
#include "ptx_image.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *without_comments(const char *image)
{
    char *text = strdup(image);
    for (char *at = text; *at; at++) {
        size_t length = 0;
        if (at[0] == '/' && at[1] == '/')
            length = strcspn(at, "\n");
        else if (at[0] == '/' && at[1] == '*') {
            const char *close = strstr(at + 2, "*/");
            length = close ? (size_t)(close + 2 - at) : strlen(at);
        }
        if (length) {
            memset(at, ' ', length);
            at += length - 1;
        }
    }
    return text;
}

static const char *BLANKS = " \t\r\n";
static const char *LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%";

static const char *skip(const char *at) { return at + strspn(at, BLANKS); }

/* Whether a word stands in what lies before `end`. */
static bool has_word(const char *text, const char *end, const char *word, size_t length)
{
    for (const char *at = text; at < end && (at = strstr(at, word)) && at < end; at += length)
        if ((at == text || !strchr(LETTERS, at[-1])) && !strchr(LETTERS, at[length]))
            return true;
    return false;
}

/* The end of what an opening bracket begins; NULL where nothing closes it. */
static const char *closing(const char *open, char begin, char close)
{
    int depth = 0;
    for (const char *at = open; *at; at++) {
        depth += (*at == begin) - (*at == close);
        if (!depth)
            return at;
    }
    return NULL;
}

/* The bytes of a declaration such as `.param .align 4 .b8 name[12]`, which ends before `end`. */
static unsigned bytes_of(const char *at, const char *end)
{
    unsigned bits = 0, count = 1;
    for (; at < end; at++) {
        if (*at == '.' && strchr("busf", at[1]) && at[2] >= '0' && at[2] <= '9')
            bits = (unsigned)atoi(at + 2);
        if (*at == '[')
            count = (unsigned)atoi(at + 1);
    }
    return bits / 8 * count;
}

const char *entry_of(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; length && (at = strstr(at, ".entry"));) {
        at = skip(at + strlen(".entry"));
        if (!strncmp(at, name, length) && !strchr(LETTERS, at[length]))
            return at + length;
    }
    return NULL;
}

/* Shared memory that the launch doesn't give: what the entry declares or, of the module's, names. */
static unsigned static_shared(const char *text, const char *body, const char *end)
{
    unsigned size = 0;
    for (const char *at = text; (at = strstr(at, ".shared")); at++) {
        if (!strchr(BLANKS, at[strlen(".shared")]))
            continue; /* Part of an instruction's name. */
        const char *stop = at + strcspn(at, ";"), *open = memchr(at, '[', (size_t)(stop - at));
        const char *name = open ? open : stop;
        while (name > at && strchr(LETTERS, name[-1]))
            name--;
        char word[256];
        size_t length = strspn(name, LETTERS);
        snprintf(word, sizeof word, "%.*s", (int)length, name);
        if (has_word(body, end, word, strlen(word)))
            size = (size + 15) / 16 * 16 + (open ? bytes_of(at, stop) : 0);
    }
    return size;
}

const char *read_entry(const char *text, const char *at, struct entry *entry)
{
    *entry = (struct entry){.most_threads = 1024};
    at = skip(at);
    if (*at == '(') {
        const char *end = closing(at, '(', ')');
        if (!end)
            return "')' is missing";
        const char *next = strstr(at, ".param");
        while (next && next < end) {
            const char *stop = next + strcspn(next, ",)");
            if (entry->count == MOST_PARAMETERS || !bytes_of(next, stop))
                return "a parameter has no size";
            entry->sizes[entry->count++] = bytes_of(next, stop);
            next = strstr(stop, ".param");
        }
        at = end + 1;
    }
    const char *open = strchr(at, '{'), *end = open ? closing(open, '{', '}') : NULL;
    if (!end)
        return "the body has no end";
    const char *limit = strstr(at, ".maxntid");
    if (limit && limit < open) {
        entry->most_threads = 1;
        const char *number = limit + strlen(".maxntid");
        for (int i = 0; i < 3; i++) {
            char *rest;
            entry->most_threads *= (int)strtol(number, &rest, 10);
            number = skip(rest);
            if (*number++ != ',')
                break;
        }
    }
    entry->shared = (int)static_shared(text, open, end);
    return entry->shared > STATIC_SHARED ? "it uses too much shared data (0xc000 max)" : NULL;
}

CUresult check_image(const char *text, int own, int newest, char *log, size_t room)
{
    const char *at = skip(text);
    int major, minor, number;
    char letter = 0;
    if (strncmp(at, ".version", strlen(".version")))
        return CUDA_ERROR_INVALID_IMAGE;
    if (sscanf(at, ".version %d.%d", &major, &minor) < 2) {
        snprintf(log, room, "ptxas application ptx input, line 1; fatal   : .version has no number");
        return CUDA_ERROR_INVALID_PTX;
    }
    if (10 * major + minor > newest) {
        snprintf(log, room,
                 "ptxas application ptx input, line 1; fatal   : Unsupported .version %d.%d; current version is '%d.%d'",
                 major, minor, newest / 10, newest % 10);
        return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    }
    at = strstr(at, ".target");
    if (!at || sscanf(at, ".target sm_%d%c", &number, &letter) < 1) {
        snprintf(log, room, "ptxas application ptx input, line 2; fatal   : Missing .target directive");
        return CUDA_ERROR_INVALID_PTX;
    }
    /* What is said of `sm_90a` is of no other generation. */
    if (number > own || (letter == 'a' && number != own)) {
        snprintf(log, room, "ptxas fatal   : SM version specified by .target is higher than default SM version assumed");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    for (at = strstr(text, ".entry"); at; at = strstr(at + 1, ".entry")) {
        struct entry *entry = malloc(sizeof *entry);
        const char *name = skip(at + strlen(".entry"));
        size_t length = strspn(name, LETTERS);
        const char *wrong = length ? read_entry(text, name + length, entry) : "an entry has no name";
        free(entry);
        if (wrong) {
            snprintf(log, room, "ptxas application ptx input; fatal   : %.*s: %s", (int)length, name, wrong);
            return CUDA_ERROR_INVALID_PTX;
        }
    }
    return CUDA_SUCCESS;
}
