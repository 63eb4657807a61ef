// What a check of a corpus is compiled with: with TIGHT, memory ends where nobody may touch it; and
// the numbers at the addresses in OBSERVED are told when the program ends.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <sys/mman.h>
#include <vector>

#include "../fenced.h"

#ifdef TIGHT
static std::map<void *, size_t> &observed_sizes()
{
    static std::map<void *, size_t> sizes;
    return sizes;
}

// As aligned as its size is: rows that are aligned fill up their memory.
static void *observed_alloc(size_t, size_t size)
{
    void *made = fenced((long)size, 1);
    observed_sizes()[made] = size;
    return made;
}

static int observed_memalign(void **made, size_t alignment, size_t size)
{
    *made = observed_alloc(alignment, size);
    return 0;
}

static void observed_free(void *made)
{
    const auto found = observed_sizes().find(made);
    const long inner = pages_of((long)found->second) * PAGE;
    munmap((char *)made + found->second - inner - PAGE, (size_t)(inner + 2 * PAGE));
    observed_sizes().erase(found);
}

#define posix_memalign observed_memalign
#define aligned_alloc observed_alloc
#define free observed_free
#endif

__attribute__((destructor)) static void tell_observed()
{
    const char *text = getenv("OBSERVED");
    for (char *next; text && *text; text = next) {
        unsigned long place = strtoul(text, &next, 16);
        if (next == text)
            break;
        fprintf(stderr, "%lx\n", *(unsigned long *)place);
    }
}
