"""Strings from strangers, made fit for a page: what can't be seen or read becomes visible.

Escaping is jinja2's; this is about what escaping leaves: control characters, characters that turn
the direction of the text or that have no width (so that code reads otherwise than it runs), halves
of surrogate pairs (a file name that isn't UTF-8 has them, and a page can't be written with them).
"""

from __future__ import annotations

import re
from urllib.parse import quote

from markupsafe import Markup, escape

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """`text` with `⟨U+202E⟩` where it has the like; line ends become plain, tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSEEN.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)


def escaped(text: str) -> Markup:
    """`visible(text)`, escaped for HTML."""
    return escape(visible(text))


def finalized(value: object) -> object:
    """What jinja2 applies to all that a template prints, before it escapes."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return visible(value)
    return value


def with_code(text: str) -> Markup:
    """The text, escaped, with what stands between `backticks` set as code."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escaped(text)
    code = Markup("<code>{}</code>")
    shown = (code.format(visible(p)) if n % 2 else escaped(p) for n, p in enumerate(parts))
    return Markup("").join(shown)


def anchor(*parts: str) -> str:
    """An id, and what follows `#` in a link to it: readable, without anything that needs escapes.

    Distinct parts give distinct ids. Browsers look for the id as written first, so that the
    percent signs may stay in both.
    """
    return ":".join(quote(part, safe="/._-~+", errors="surrogatepass") for part in parts)


def address(*parts: str) -> str:
    """A relative address of a file; it never has a scheme, whatever the names are."""
    path = "/".join(parts)
    try:
        data = path.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # no path of a file system has such a name
        data = path.encode("utf-8", "surrogatepass")
    return "./" + quote(data, safe="/._-~+").lstrip("/")


def cut(text: str, most: int) -> str:
    """At most the first `most` characters, and how many there were."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters)"
