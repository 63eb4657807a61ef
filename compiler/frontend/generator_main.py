"""`hl.main()`: the command line of a script with generators.

script.py -g NAME -o DIRECTORY target=host [-f FUNCTION] [-n FILES] [-e KINDS] [-p PLUGIN]
    [autoscheduler=NAME [autoscheduler.SETTING=VALUE ...]] [PARAM=VALUE ...]

The kind `schedule` is the directives that the autoscheduler chose, as Python text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from ..lang.enums import OutputFileType
from ..lang.errors import HalideError, fail
from .autoscheduling import AutoschedulerParams, load_plugin
from .generator import GeneratorContext, create_generator, registered_generators
from .target import Target

_SUFFIXES = {
    "assembly": ".s", "bitcode": ".bc", "c_header": ".h", "llvm_assembly": ".ll", "object": ".o",
    "static_library": ".a", "stmt": ".stmt", "stmt_html": ".stmt.html",
    "device_code": ".device_code",
    "schedule": ".schedule.py", "conceptual_stmt": ".conceptual.stmt",
    "conceptual_stmt_html": ".conceptual.stmt.html",
}  # fmt: skip
_SHORT = {"o": "object", "h": "c_header", "a": "static_library", "s": "assembly"}
_OPTIONS = {"-g": "name", "-o": "directory", "-f": "function", "-n": "files", "-e": "kinds",
            "-p": "plugin"}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes the files of one generator of this process, as `sys.argv` asks.

    Says on stderr what is wrong, and raises `RuntimeError`.
    """
    try:
        _write(*_parsed(list(sys.argv[1:] if arguments is None else arguments)))
    except HalideError as error:
        print(f"Unhandled exception: Error: {error}", file=sys.stderr)
        raise RuntimeError("Generator failed: -1") from None


def _parsed(words: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """(options by name, parameters by name)."""
    options: dict[str, str] = {}
    params: dict[str, str] = {}
    while words:
        word = words.pop(0)
        if word in _OPTIONS:
            if not words:
                fail(f"Missing value for {word}.")
            options[_OPTIONS[word]] = words.pop(0)
        elif "=" in word and not word.startswith("-"):
            name, _, value = word.partition("=")
            params[name] = value
        else:
            fail(f"Unknown flag: {word}\n{__doc__}")
    return options, params


def _write(options: dict[str, str], params: dict[str, str]) -> None:
    known = "\n    ".join(sorted(registered_generators()))
    if "name" not in options:
        fail(f"Either -g <name> or -r must be specified; available Generators are:\n    {known}")
    name = options["name"]
    if name not in registered_generators():
        fail(f"Generator not found: {name}\nDid you mean:\n    {known}")
    if "directory" not in options:
        fail("-o must always be specified.")
    if "target" not in params:
        fail("Target missing: pass target=host, or another one.")
    target = Target(params.pop("target"))
    function = options.get("function", name)
    if "::" in function:
        fail(f"The function name {function} is in a namespace, which C does not have.")
    stem = os.path.join(options["directory"], options.get("files", function))
    outputs = {OutputFileType[k]: stem + _SUFFIXES[k] for k in _kinds(options.get("kinds", ""))}
    if "plugin" in options:
        load_plugin(options["plugin"])
    with GeneratorContext(target, _autoscheduler(params)):
        made = create_generator(name, dict[str, Any](params))
        pipeline = made.build_pipeline()
        directives = made.autoschedule(pipeline)
        text = outputs.pop(OutputFileType["schedule"], None)
        pipeline.compile_to(outputs, made.inputs(), function, target)
    if text is not None:
        with open(text, "w", encoding="utf-8") as file:
            file.write(directives)


def _autoscheduler(params: dict[str, str]) -> AutoschedulerParams:
    """What `params` say of the autoscheduler, which is taken out of them."""
    prefix = "autoscheduler."
    own = {
        key.removeprefix(prefix): params.pop(key) for key in list(params) if key.startswith(prefix)
    }
    name = params.pop("autoscheduler", "")
    if own and not name:
        fail(f"{prefix}{next(iter(own))} needs autoscheduler=NAME.")
    return AutoschedulerParams(name, own)


def _kinds(text: str) -> list[str]:
    words = [w.strip() for w in text.split(",")] if text else ["static_library", "c_header"]
    kinds = [_SHORT.get(w, w) for w in words]
    for kind in kinds:
        if kind not in _SUFFIXES:
            fail(f"Unrecognized emit option: {kind}; known: {', '.join(sorted(_SUFFIXES))}.")
    return kinds
