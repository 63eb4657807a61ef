"""Static libraries in the `ar` format with a GNU symbol index, written without any tool.

"!<arch>\\n", then members: a header of 60 bytes, the content, a newline where its size is odd
the member "/": count (big-endian), the offset of the member of each symbol, names ending in 0
the member "//": names of members of more than 15 letters, each ending in "/\\n"
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

_MAGIC = b"!<arch>\n"


def archive(members: Sequence[tuple[str, bytes, Sequence[str]]]) -> bytes:
    """The archive of `members`: (file name, content, global symbols that it defines) each."""
    names, references = _names([name for name, _, _ in members])
    long_names = _member(b"//", names) if names else b""
    symbols = [symbol.encode() for _, _, defined in members for symbol in defined]
    text = b"".join(symbol + b"\0" for symbol in symbols)
    index_size = 4 + 4 * len(symbols) + len(text)
    offset = len(_MAGIC) + 60 + index_size + index_size % 2 + len(long_names)
    offsets: list[int] = []
    bodies: list[bytes] = []
    for reference, (_, content, defined) in zip(references, members, strict=True):
        offsets += [offset] * len(defined)
        body = _member(reference, content)
        bodies.append(body)
        offset += len(body)
    index = struct.pack(f">I{len(offsets)}I", len(offsets), *offsets) + text
    return b"".join([_MAGIC, _member(b"/", index), long_names, *bodies])


def _names(names: Sequence[str]) -> tuple[bytes, list[bytes]]:
    """The table of long names, and what each member's header says for its name."""
    table, references = b"", []
    for name in names:
        encoded = name.encode()
        if len(encoded) <= 15:
            references.append(encoded + b"/")
        else:
            references.append(b"/%d" % len(table))
            table += encoded + b"/\n"
    return table, references


def _member(name: bytes, content: bytes) -> bytes:
    # Time, owner and group are zero, so that the same input always gives the same bytes.
    fields = (name.ljust(16), b"0".ljust(12), b"0".ljust(6), b"0".ljust(6), b"100644".ljust(8))
    header = b"".join(fields) + str(len(content)).encode().ljust(10) + b"`\n"
    return header + content + b"\n" * (len(content) % 2)
