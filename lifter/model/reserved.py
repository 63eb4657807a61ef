"""Words that nothing in an emitted program can be called by: Python's, C++'s and the language's."""

from __future__ import annotations

import keyword

_CPP = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
    constinit continue decltype default delete do double dynamic_cast else enum explicit export
    extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return
    short signed sizeof static static_assert static_cast struct switch template this thread_local
    throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while
    xor xor_eq
"""
CPP_WORDS = frozenset(_CPP.split())
WORDS = frozenset((*keyword.kwlist, *CPP_WORDS, "hl", "np"))
"""Of both languages, and the modules that a program imports."""


def is_special(name: str) -> bool:
    """Whether Python gives the name a meaning of its own, as `__name__` has one."""
    return name.startswith("__") and name.endswith("__")
