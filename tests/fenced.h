// Memory between pages that nobody may touch, for programs that compare lifted code with the original.
#pragma once
#include <stdint.h>
#include <sys/mman.h>

#define PAGE 4096L

static long pages_of(long size) { return (size + PAGE - 1) / PAGE + (size == 0); }

// `size` bytes between two pages that nobody may touch, flush with the one after them or before; of no
// bytes at all there are none to touch.
static inline uint8_t *fenced(long size, int at_end)
{
    long inner = pages_of(size) * PAGE;
    uint8_t *all = (uint8_t *)mmap(0, inner + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (size)
        mprotect(all + PAGE, inner, PROT_READ | PROT_WRITE);
    uint8_t *made = all + PAGE + (at_end ? inner - size : 0);
    for (long i = 0; i < size; i++)
        made[i] = (uint8_t)(i * 7 + i / 251);
    return made;
}

// From now on what `fenced` gave may only be read.
static inline void read_only(void *made, long size)
{
    uint8_t *first = (uint8_t *)((uintptr_t)made / PAGE * PAGE);
    if (size)
        mprotect(first, pages_of(size) * PAGE, PROT_READ);
}
