"""The text of loop nests in files: plain, or a page whose loops fold."""

from __future__ import annotations

import html

from ..ir.stmt_printer import function_to_text
from ..ir.stmts import LoweredFunction
from ..lang.enums import OutputFileType
from ..lang.errors import fail

_LOWERED = (OutputFileType.stmt, OutputFileType.stmt_html)
_CONCEPTUAL = (OutputFileType.conceptual_stmt, OutputFileType.conceptual_stmt_html)
_PAGES = (OutputFileType.stmt_html, OutputFileType.conceptual_stmt_html)


def statement_text(
    kind: OutputFileType, fn: LoweredFunction, conceptual: LoweredFunction | None
) -> str:
    """The content of a file of `kind`; `conceptual` is `fn` before memory was laid out."""
    if kind in _LOWERED:
        text = function_to_text(fn)
    elif kind in _CONCEPTUAL and conceptual is not None:
        text = function_to_text(conceptual)
    else:
        fail(f"The output {kind.name} is not supported by this compiler.")
    return page(fn.name, text) if kind in _PAGES else text


def page(title: str, text: str) -> str:
    """`text` as HTML: a line with deeper lines below it folds them away."""
    lines = [line for line in text.splitlines() if line.strip()]
    depths = [len(line) - len(line.lstrip()) for line in lines]
    parts = []
    open_depths: list[int] = []
    for i, (line, depth) in enumerate(zip(lines, depths, strict=True)):
        while open_depths and depth <= open_depths[-1]:
            open_depths.pop()
            parts.append("</details>")
        shown = html.escape(line.strip())
        if i + 1 < len(lines) and depths[i + 1] > depth:
            parts.append(f"<details open><summary>{shown}</summary>")
            open_depths.append(depth)
        else:
            parts.append(f"<div>{shown}</div>")
    parts += ["</details>"] * len(open_depths)
    return (
        f"<!DOCTYPE html>\n<html><head><meta charset='utf-8'><title>{html.escape(title)}</title>\n"
        "<style>body{font-family:monospace;white-space:pre-wrap}"
        "details,div{margin-left:1.5em}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )
