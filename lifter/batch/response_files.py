"""Arguments out of files: `@flags.rsp` stands for what the file holds, which may name others."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

_DEEPEST = 16
_LARGEST = 1 << 24
"""Bytes of a response file that are still read."""


class ResponseFileError(Exception):
    """A response file that can't be used; the text is a message for a person."""


def expanded(arguments: Sequence[str], directory: str, within: tuple[str, ...] = ()) -> list[str]:
    """The arguments with those of response files in their place, as GCC and Clang read them.

    `directory` is where the command runs. Raises `ResponseFileError`.
    """
    found: list[str] = []
    for argument in arguments:
        if len(argument) > 1 and argument.startswith("@"):
            path = os.path.normpath(os.path.join(directory, argument[1:]))
            found += expanded(_words_of(path, within), directory, (*within, path))
        else:
            found.append(argument)
    return found


def words(command: str) -> list[str]:
    """A command line's words, by the shell's rules for quotes and backslashes and no others.

    Raises `ValueError` where a quote isn't closed.
    """
    return shlex.split(command, comments=False, posix=True)


def _words_of(path: str, within: tuple[str, ...]) -> list[str]:
    if path in within or len(within) >= _DEEPEST:
        raise ResponseFileError(f"the response file {path} leads back to itself")
    try:
        if os.path.getsize(path) > _LARGEST:
            raise ResponseFileError(f"the response file {path} is larger than {_LARGEST} bytes")
        with open(path, encoding="utf-8") as file:
            return words(file.read())
    except OSError as error:
        raise ResponseFileError(
            f"the response file {path} can't be read: {error.strerror}"
        ) from error
    except UnicodeDecodeError as error:
        raise ResponseFileError(f"the response file {path} isn't UTF-8") from error
    except ValueError as error:
        raise ResponseFileError(f"the response file {path}: {error}") from error
