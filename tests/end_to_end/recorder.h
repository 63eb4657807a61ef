// Which bytes of some buffers a function touches: forced into the original, which is compiled with
// -fsanitize=thread or kernel-address (and linked without), so that every access of memory calls one of
// these functions first. The one leaves out copies of structures, the other a second access to a place
// that follows the first: together they tell all.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define LIFT_C extern "C"
#else
#define LIFT_C
#endif
#define LIFT_RECORDER LIFT_C __attribute__((weak, no_sanitize("thread", "kernel-address")))
enum { LIFT_MOST_BUFFERS = 32, LIFT_READ = 1, LIFT_WRITTEN = 2 };
struct lift_buffer { uintptr_t first, behind; uint8_t *marks; };
__attribute__((weak)) struct lift_buffer lift_buffers[LIFT_MOST_BUFFERS];
__attribute__((weak)) int lift_buffer_count;

// Marks each byte of `count` buffers from now on; `marks` has a byte for each of theirs.
LIFT_RECORDER void lift_record(int count, const uintptr_t *first, const size_t *sizes, uint8_t **marks)
{
    lift_buffer_count = count;
    for (int i = 0; i < count; i++) {
        lift_buffers[i].first = first[i];
        lift_buffers[i].behind = first[i] + sizes[i];
        lift_buffers[i].marks = marks[i];
    }
}

LIFT_RECORDER void lift_touch(const volatile void *place, size_t size, int how)
{
    for (int i = 0; i < lift_buffer_count; i++) {
        struct lift_buffer *b = &lift_buffers[i];
        if ((uintptr_t)place < b->first || (uintptr_t)place >= b->behind) continue;
        for (size_t k = 0; k < size && (uintptr_t)place + k < b->behind; k++)
            b->marks[(uintptr_t)place - b->first + k] |= how;
        return;
    }
}

#define LIFT_ACCESS(size) \
    LIFT_RECORDER void __tsan_read##size(void *p) { lift_touch(p, size, LIFT_READ); } \
    LIFT_RECORDER void __tsan_write##size(void *p) { lift_touch(p, size, LIFT_WRITTEN); } \
    LIFT_RECORDER void __tsan_unaligned_read##size(void *p) { lift_touch(p, size, LIFT_READ); } \
    LIFT_RECORDER void __tsan_unaligned_write##size(void *p) { lift_touch(p, size, LIFT_WRITTEN); }
#define LIFT_ADDRESS(size) \
    LIFT_RECORDER void __asan_load##size##_noabort(void *p) { lift_touch(p, size, LIFT_READ); } \
    LIFT_RECORDER void __asan_store##size##_noabort(void *p) { lift_touch(p, size, LIFT_WRITTEN); }
LIFT_ADDRESS(1)
LIFT_ADDRESS(2)
LIFT_ADDRESS(4)
LIFT_ADDRESS(8)
LIFT_ADDRESS(16)
LIFT_RECORDER void __asan_loadN_noabort(void *p, size_t n) { lift_touch(p, n, LIFT_READ); }
LIFT_RECORDER void __asan_storeN_noabort(void *p, size_t n) { lift_touch(p, n, LIFT_WRITTEN); }
LIFT_RECORDER void __asan_handle_no_return(void) {}
LIFT_ACCESS(1)
LIFT_ACCESS(2)
LIFT_ACCESS(4)
LIFT_ACCESS(8)
LIFT_ACCESS(16)
LIFT_RECORDER void __tsan_read_range(void *p, size_t n) { lift_touch(p, n, LIFT_READ); }
LIFT_RECORDER void __tsan_write_range(void *p, size_t n) { lift_touch(p, n, LIFT_WRITTEN); }
LIFT_RECORDER void __tsan_vptr_update(void *place, void *value) { (void)place; (void)value; }
LIFT_RECORDER void __tsan_init(void) {}
LIFT_RECORDER void __tsan_func_entry(void *caller) { (void)caller; }
LIFT_RECORDER void __tsan_func_exit(void) {}

LIFT_C void *__real_memcpy(void *, const void *, size_t);
LIFT_C void *__real_memmove(void *, const void *, size_t);
LIFT_C void *__real_memset(void *, int, size_t);
LIFT_RECORDER void *__wrap_memcpy(void *to, const void *from, size_t n)
{
    lift_touch(from, n, LIFT_READ);
    lift_touch(to, n, LIFT_WRITTEN);
    return __real_memcpy(to, from, n);
}
LIFT_RECORDER void *__wrap_memmove(void *to, const void *from, size_t n)
{
    lift_touch(from, n, LIFT_READ);
    lift_touch(to, n, LIFT_WRITTEN);
    return __real_memmove(to, from, n);
}
LIFT_RECORDER void *__wrap_memset(void *to, int value, size_t n)
{
    lift_touch(to, n, LIFT_WRITTEN);
    return __real_memset(to, value, n);
}
