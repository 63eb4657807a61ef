"""Seals: how `lift verify` knows that nothing has changed since a function was proved.

    "files": {"pipeline.py": "1f0e...", "proof/03-unique-dst.smt2": "77ab..."},
    "seal": {"meaning": "5d1c...", "tool": "90e2...", "digest": "0b7f..."}

`meaning` is the digest of the kernel that was proved, `tool` that of the `lift` which did it, and
`digest` is over both and all else in `summary.json` but `seconds`, so over the digests of the other
files too, and the same whenever the same is proved. A seal says that a folder is as `lift` wrote
it. It is no signature: whoever can write the folder can write a seal (`docs/proofs.md`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from .meaning import tool_digest

SUMMARY = "summary.json"
_SEALED = 32
"""Characters of a digest."""


def sealed(texts: Mapping[str, str], content: Mapping[str, Any]) -> dict[str, str]:
    """The files of a proved function, with `content` and its seal as their `summary.json`.

    What `content` says as `meaning`, the digest of the kernel that was proved, goes into the seal.
    Nothing in the files may change after this.
    """
    data = {k: v for k, v in content.items() if k != "meaning"}
    data["files"] = {n: text_digest(t) for n, t in sorted(texts.items()) if n != SUMMARY}
    data["seal"] = {"meaning": content["meaning"], "tool": tool_digest(), "digest": ""}
    data["seal"]["digest"] = seal_digest(data)
    return {**texts, SUMMARY: json.dumps(data, indent=2, ensure_ascii=False) + "\n"}


def seal_digest(data: Mapping[str, Any]) -> str:
    """The digest that a summary with these contents has, whatever its seal says that it is."""
    seal = data.get("seal")
    told = {k: v for k, v in seal.items() if k != "digest"} if isinstance(seal, dict) else None
    content = {k: v for k, v in data.items() if k != "seconds"}
    plain = json.dumps({**content, "seal": told}, sort_keys=True, separators=(",", ":"))
    return _digest(plain)


def text_digest(text: str) -> str:
    """Of a file's text, the same with either kind of line ends: git may change those."""
    return _digest(text.replace("\r\n", "\n"))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_SEALED]
