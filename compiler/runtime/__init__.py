"""What generated code needs at run time: threads, memory, and a way to report errors."""

from .in_process import (
    held_memory,
    memory_limit,
    num_threads,
    release_memory,
    set_memory_limit,
    set_num_threads,
)
from .sources import errors, locks, memory_pool, thread_pool
