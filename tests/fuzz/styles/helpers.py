"""What a kernel's expressions use at the file's level: macros, small functions, tables."""

from __future__ import annotations

from collections.abc import Callable

from tests.fuzz.styles.scope import Scope


def macro(scope: Scope, name: str, rest: str) -> str:
    """Defines a function-like macro once; `rest` is what follows its name."""
    own = scope.own(name)
    if not scope.has(f"#define {own}("):
        scope.definitions.append(f"#define {own}{rest}\n")
    return own


def function(scope: Scope, name: str, text: str) -> str:
    """Defines a function once; `@` stands for its name."""
    own = scope.own(name)
    if not scope.has(f" {own}("):
        kind = "constexpr" if scope.cpp else "static inline"
        scope.definitions.append(f"{kind} {text.replace('@', own)}")
    return own


CLIP = (
    "int @(int v, int low, int high)\n{\n"
    "    if (v < low) return low;\n    return v > high ? high : v;\n}\n"
)
DIV255 = "int @(int t)\n{\n    t += 128;\n    return ((t >> 8) + t) >> 8;\n}\n"

_ENTRIES: tuple[tuple[str, Callable[[int], int]], ...] = (
    ("255 - i", lambda i: 255 - i),
    ("i < 128 ? 2 * i : 255", lambda i: 2 * i if i < 128 else 255),
    ("(i * i + 127) / 255", lambda i: (i * i + 127) // 255),
    ("(i * 7) & 255", lambda i: i * 7 & 255),
)


def curve(scope: Scope) -> str:
    """The name of a table of 256 bytes: written out, filled by a loop, or by the compiler."""
    name = scope.own("curve")
    if scope.has(f" {name}[") or scope.has(f" {name} =") or any(name in o for o in scope.opening):
        return name
    text, entry = scope.choices.pick(*_ENTRIES)
    kind = scope.choices.below(4 if scope.cpp else 2)
    if kind == 0:
        rows = (", ".join(str(entry(i)) for i in range(n, n + 16)) for n in range(0, 256, 16))
        made = ",\n    ".join(rows)
        scope.definitions.append(f"static const uint8_t {name}[256] = {{\n    {made}}};\n")
    elif kind == 1:
        loop = scope.choices.pick("int i = 0; i < 256; i++", "int i = 255; i >= 0; --i")
        fill = f"for ({loop}) {name}[i] = (uint8_t)({text});"
        scope.opening.append(f"    uint8_t {name}[256];\n    {fill}\n")
    else:
        made = (
            f"constexpr std::array<uint8_t, 256> {name}_made()\n{{\n"
            "    std::array<uint8_t, 256> t{};\n"
            f"    for (int i = 0; i < 256; ++i) t[i] = (uint8_t)({text});\n    return t;\n}}\n"
        )
        scope.definitions.append(f"{made}static constexpr auto {name} = {name}_made();\n")
    return name
