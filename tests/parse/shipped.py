"""The headers that come with `lift`, as users include them."""

from __future__ import annotations

from lifter.parse.older_headers import HEADERS

_LISTS = ("lift/x86_", "lift/neon_", "lift/lane", "lift/words_", "lift/numbers")
"""What the headers of intrinsics are made of; each is included where its words have meanings."""
OF_AARCH64 = "arm_neon.h"
"""The one that can't be read beside x86's."""

EACH = sorted(
    name
    for path in HEADERS.rglob("*")
    if path.is_file() and not (name := str(path.relative_to(HEADERS))).startswith(_LISTS)
)
TOGETHER = [name for name in EACH if name != OF_AARCH64]
