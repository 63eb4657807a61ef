/* What a driver reads in a module's PTX: whether a device can run it, and what launches of its entries need. */
#pragma once
#include "driver_types.h"

enum { MOST_PARAMETERS = 1024, STATIC_SHARED = 48 << 10 };

struct entry {
    unsigned count, sizes[MOST_PARAMETERS]; /* Of parameters, in bytes. */
    int shared;                             /* Bytes that the entry has without asking. */
    int most_threads;
};

/* The text with blanks where comments were; the caller frees it. */
char *without_comments(const char *image);

/* Whether a device of that compute capability (75) can run what the text has, where `newest` is the last version of
   PTX that is known (84); `log` says why not. */
CUresult check_image(const char *text, int own, int newest, char *log, size_t room);

/* Where the `.entry` of this name goes on behind the name; NULL for none. */
const char *entry_of(const char *text, const char *name);

/* Reads an entry, from behind its name on: NULL, or what is wrong with it. */
const char *read_entry(const char *text, const char *at, struct entry *entry);
