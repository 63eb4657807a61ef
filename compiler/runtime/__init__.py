"""What generated code needs at run time: a thread pool and a way to report errors."""

from .in_process import num_threads, set_num_threads
from .sources import errors, thread_pool
