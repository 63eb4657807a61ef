"""One random kernel: a frame, a loop, a pixel and a value, put together."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.fuzz.legacy_kernels import LegacyKernel
from tests.fuzz.styles.choices import Choices, bytes_of
from tests.fuzz.styles.class_frames import Images, Local, Method, Template
from tests.fuzz.styles.frames import Bytes, Frame, Job, Rows, Views, Written
from tests.fuzz.styles.loops import Loops, LoopStyle, loop_style
from tests.fuzz.styles.pixels import Pixel, alike, pixel
from tests.fuzz.styles.scope import Language, Scope

_C: tuple[type[Frame], ...] = (Frame, Frame, Views, Rows, Bytes, Job)
_CPP: tuple[type[Frame], ...] = (
    Frame, Template, Views, Images, Method, Job, Rows, Bytes, Local, Frame,
)  # fmt: skip
_POINTERS = (Frame, Rows, Local, Template)
"""With these, a guarded entry doesn't know the name of a structure that is pointed to."""
SCALARS = (
    ("width", "int"), ("height", "int"), ("dstStride", "int"), ("srcStride", "int"), ("k", "int"),
    ("mode", "int"), ("gain", "float"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class StyledKernel(LegacyKernel):
    """`arrays` say what the arena holds; `setup`, `callee` and `arguments` are the call in terms of
    the frame's names; `parts` names the frame and the loop, for the record."""

    language: Language
    elements: tuple[str, str, str]
    channels: int
    setup: str
    callee: str
    arguments: tuple[str, ...]
    has_guarded: bool
    """Whether the header's guarded entry is to be called."""
    parts: str


def kernel_of_seed(seed: int) -> StyledKernel:
    return kernel(f"fuzz{seed}", bytes_of(seed))


def kernel(name: str, data: bytes) -> StyledKernel:
    """Everything follows from the bytes; without any it is the plainest kernel there is."""
    choices = Choices(data)
    language: Language = choices.pick("cpp", "cpp", "c")
    scope = Scope(name, choices, language)
    kind = choices.pick(*(_CPP if scope.cpp else _C))
    frame = kind(scope)
    style = loop_style(scope, flat=frame.flat, accessor=frame.accessor)
    made = pixel(scope, can_continue=style.can_continue)
    written = _written(frame, made, style)
    source = "".join(scope.definitions) + written.definition
    arrays = tuple(zip(("dst", "src", "msk"), made.memory, strict=True))
    return StyledKernel(
        name, source, arrays, SCALARS, scope.least, language, made.elements, made.channels,
        written.setup, written.callee, written.arguments,
        scope.cpp and written.is_free and not (kind in _POINTERS and scope.has("Rgba {")),
        f"{language} {kind.__name__} {style.rows}/{style.columns}",
        tables=written.tables,
    )  # fmt: skip


def _written(frame: Frame, made: Pixel, style: LoopStyle) -> Written:
    """The function; its loops as they are, in a macro, or one of two that a branch chooses."""
    choices, scope = frame.choices, frame.scope
    loops = Loops(scope, frame.surfaces(made), frame.width, frame.height, style)
    kind = choices.below(10)
    if kind == 8:
        return frame.written(made, _macro(scope, loops.text(f"\1{made.statements}\2")))
    if kind == 9 and made.is_one_number:
        other = alike(scope, made, can_continue=style.can_continue) or made
        first, second = loops.text(made.statements), loops.text(other.statements)
        mode = scope.scalars["mode"]
        text = choices.pick(
            f"    if ({mode} == 1) {{\n{first}    }} else {{\n{second}    }}\n",
            f"    switch ({mode}) {{\n    case 0: {{\n{first}    }} break;\n"
            f"    case 1: {{\n{second}    }} return;\n    default: break;\n    }}\n",
            f"    if ({scope.scalars['k']} == 255) {{\n{second}    return;\n    }}\n{first}",
        )
        return frame.written(made, text)
    return frame.written(made, loops.text(made.statements))


def _macro(scope: Scope, text: str) -> str:
    """Loops as a macro, which is given what they do to a pixel where that is one text."""
    bodies = set(re.findall("\1([^\1\2]*)\2", text))
    scope.definitions = [re.sub("[\1\2]", "", d) for d in scope.definitions]
    name, passed = scope.own("LOOPS"), "0"
    if len(bodies) == 1:
        passed = bodies.pop()
        text = text.replace(f"\1{passed}\2", "__VA_ARGS__")
    text = re.sub("[\1\2]", "", text).strip("\n").replace("\n", " \\\n")
    scope.definitions.append(f"#define {name}(...) \\\n{text}\n")
    return f"    {name}({passed})\n"
