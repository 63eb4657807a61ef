"""Text of strangers (file names, source lines) made fit to be shown on a terminal or in a log."""

from __future__ import annotations

import re

_HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
    "\ud800-\udfff]"
)
"""Controls, line ends of Unicode, what turns the direction of text, bytes that are no UTF-8."""
_SHORT = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\x1b": r"\x1b"}


def visible(text: str) -> str:
    """`text` with what would act on a terminal written out: `\\x1b`, `\\u202e`, `\\xff`.

    Line ends and tabs stay; a byte of a file name that isn't UTF-8 is shown as that byte.
    """
    return _HARMFUL.sub(_written, text)


def visible_line(text: str) -> str:
    """As `visible`, on one line: line ends and tabs are written out, too."""
    return re.sub("[\n\t]", _written, visible(text))


def printable(text: str) -> str:
    """`text` with a question mark for each character that can't be printed."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _written(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # how Python holds a byte of a name that it can't decode
        return f"\\x{code - 0xDC00:02x}"
    return _SHORT.get(character) or (f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
