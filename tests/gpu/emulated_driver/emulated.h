/* What controls the emulated driver: Python does it by driver.py, and a C program by `dlsym` in the library that
   `LIFT_CUDA_LIBRARY` names. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum kind { CONTEXT, MODULE, FUNCTION, STREAM, EVENT, ALLOCATION, KINDS };

enum setting {
    DEVICES,         /* How many: 2 at first, at most 4. */
    DRIVER_VERSION,  /* 12040 for 12.4. */
    PTX_VERSION,     /* The newest that is known: 84 for 8.4. */
    RUNS,            /* When the work of streams runs. */
    READS_HOST_LATE, /* What is copied from the host is read when the copy runs. */
    FREE_WAITS,      /* `cuMemFree` waits for all work. */
    SEED,            /* For `RUNS_SOMETIMES`. */
    SETTINGS
};
enum { RUNS_LATE, RUNS_AT_ONCE, RUNS_SOMETIMES };

/* What runs a kernel: C's functions by name, and for all others one function, which gets this. */
typedef void (*kernel)(void **parameters, const unsigned grid[3], const unsigned block[3], unsigned shared);
struct emulated_launch {
    const char *image, *entry;
    unsigned grid[3], block[3], shared, count;
    const unsigned *sizes;
    void **parameters;
    uint64_t context;
};
typedef int (*interpreter)(const struct emulated_launch *); /* Returns 0, or the code of a fault. */

struct emulated_memory {
    uint64_t address, size;
    unsigned char *known; /* For each byte whether somebody wrote it. */
};

/* From now on all is as though the process had just begun, a child of `fork` too. Or, if it isn't to be `fresh`, as
   though somebody had reset each device's primary context: who has called `cuInit` and retained them may go on. */
void emulated_reset(int fresh);

void emulated_set(int setting, long value);
void emulated_set_attribute(int device, int attribute, int value);
void emulated_set_memory(int device, size_t bytes);
void emulated_register(const char *name, kernel run);
void emulated_interpret(interpreter function);

/* From the nth call of a function on (1 is the next one), so many return the code; `times` < 0: all. */
void emulated_inject(const char *name, long nth, long times, int code);

/* A line of the log of calls, or of the problems; NULL at the end. `emulated_release` frees it. */
char *emulated_line(int of_problems, size_t number);
void emulated_release(char *line);
void emulated_forget(int of_problems);
void emulated_problem(const char *text);

/* How many objects of a kind there are: of memories, those that nobody has asked to free, and of streams, those that
   were created. */
long emulated_live(int kind);

/* How many pieces of work wait in all streams. */
long emulated_waiting(void);

/* The memories that a kernel of the context can access, or all for 0; how many there are. */
size_t emulated_memories(uint64_t context, struct emulated_memory *memories, size_t room);

/* Adds to the problems where bytes beside memories were written. */
void emulated_check(void);
