"""A page as `html.parser` reads it: elements with their attributes, and texts."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"meta", "input", "br", "rect", "path", "circle"}
OPTIONAL = {"li", "option"}
"""Elements whose end tags HTML lets one leave out."""


class Parsed(HTMLParser):
    """Elements in order; `unclosed` and `stray` name tags that don't match."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = text
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.stray: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        self.unclosed = [tag for tag in self._open if tag not in OPTIONAL]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in OPTIONAL and self._open and self._open[-1] == tag:
            self._open.pop()
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open[-1] in OPTIONAL and self._open[-1] != tag:
            self._open.pop()
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.stray.append(tag)

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in ("style", "script"):
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    def values(self, attribute: str) -> list[str]:
        """All values of an attribute, in order."""
        return [
            value or ""
            for _, found in self.elements
            for a, value in found.items()
            if a == attribute
        ]
