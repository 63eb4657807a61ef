"""Whether a source's floats are computed as its text says: options, pragmas and attributes that let
a compiler compute them otherwise, and kernels whose results then depend on the compiler.

Kernels are read as IEEE arithmetic in the written order. Where the build permits something else
there is no one thing that the original computes, so nothing can be proved equal to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from ctypes import c_float
from dataclasses import dataclass

from compiler.ir import F64, Add, Cast, Const, Expr, Load, Mul, Select, Sub, Variable, postorder

from ..model.diagnostic import Diagnostic, Span
from ..model.kernel import Kernel, Stmt, expressions_of, statements
from .failure import finding, unsupported
from .target import machine_of

_ORDER = ("associative-math", "reciprocal-math", "signed-zeros", "approx-func")
_ALL = (*_ORDER, "honor-nans", "honor-infinities")
_GROUPS: dict[str, tuple[str, ...]] = {
    "fast-math": _ALL,
    "unsafe-math-optimizations": _ORDER,
    "finite-math-only": ("honor-nans", "honor-infinities"),
    **{part: (part,) for part in _ALL},
}
"""What an option `-f...` switches."""
_SWITCHED_ON = frozenset(("signed-zeros", "honor-nans", "honor-infinities"))
"""Parts that make floats exact where they are on: `-fno-signed-zeros` is the loose one."""
_FLAG = re.compile(rf"-f(no-)?({'|'.join(_GROUPS)})")
_LEVEL = re.compile(r"-O(\w*)")
_MODEL = re.compile(r"-ffp-model=(\w+)")
_CONTRACT = re.compile(r"-ffp-contract=([\w-]+)")
_OTHERS = re.compile(
    r"-(fsingle-precision-constant|mrecip(=(?!none).*)?|mno-sse2?|mgeneral-regs-only|mno-80387"
    r"|fdenormal-fp-math(-f32)?=(?!ieee).*|mfpmath=.*387.*|mfpmath=both|menable-unsafe-fp-math)"
)
"""Flags without a counterpart that takes them back."""

_PRAGMA = re.compile(
    r"^[ \t]*#[ \t]*pragma[ \t]+(?P<line>.*)$|\b_Pragma[ \t]*\((?P<operator>.*?)\)[ \t]*$",
    re.MULTILINE,
)
_OPTIMIZE = re.compile(r"\b_*optimize_*\b\s*\((?P<options>[^)]*)\)")
_LOOSE_WORDS = re.compile(
    r"fast-math|Ofast|unsafe-math|associative-math|reciprocal-math|finite-math|no-signed-zeros"
    r"|fp-contract=fast|single-precision-constant|fast_math"
)
_LOOSE_PRAGMA = re.compile(
    r"float_control\s*\(\s*precise\s*,\s*off|clang\s+fp\b.*\b(reassociate|reciprocal)\s*\(\s*on"
)
_CONTRACT_PRAGMA = re.compile(
    r"STDC\s+FP_CONTRACT\s+(ON|DEFAULT)|clang\s+fp\b.*\bcontract\s*\(\s*(on|fast)"
    r"|fp_contract\s*\(\s*on"
)


@dataclass(frozen=True, slots=True)
class FloatRules:
    """What a build permits, each as the words that permit it; None where nothing does."""

    loose: str | None
    """Another order, other roundings, other special values."""
    contracted: str | None
    """`a * b + c` rounded once."""
    maybe_contracted: str | None
    """The same, by a compiler's own default for the machine that it compiles for."""

    def check(self, kernel: Kernel) -> Iterator[Diagnostic]:
        """Warns of a kernel of floats. Raises `LiftError` (`fast-math`) where it isn't one thing
        that the original computes."""
        computing = next(_computing(kernel), None)
        if computing is None:
            return
        why = self.loose
        if why is None and _has_products_and_sums(kernel):
            why = self.contracted
            if why is None and self.maybe_contracted is not None:
                yield finding(
                    "contraction",
                    "warning",
                    computing,
                    f"{self.maybe_contracted}: compilers may round `a * b + c` once there, and "
                    "lifted code rounds twice",
                    "build the original with -ffp-contract=off",
                )
        if why is not None:
            raise unsupported(
                "fast-math",
                computing,
                f"{why} lets compilers compute these floats otherwise than the text says",
                "build files with floats without it; kernels of integers aren't concerned",
            )


def float_rules(arguments: Sequence[str], written: Iterable[tuple[str, str]]) -> FloatRules:
    """What the options of a translation unit, and pragmas and attributes in its `texts`, permit.
    Our headers permit nothing.
    """
    loose, contract = _of_options(arguments)
    permitted = contract if contract not in (None, "off") else None
    for where, text in written:
        for what, is_contraction in _in_text(text):
            if is_contraction:
                permitted = permitted or f"`{what}` in {where}"
            else:
                loose = loose or f"`{what}` in {where}"
    maybe = None
    if contract is None and machine_of(arguments).fuses:
        maybe = "the machine has a fused multiplication and addition"
    return FloatRules(loose, permitted, maybe)


def _of_options(arguments: Sequence[str]) -> tuple[str | None, str | None]:
    """The option that permits most things, and the one that permits contraction or "off"."""
    blamed: dict[str, str | None] = dict.fromkeys(_ALL)
    contract: str | None = None
    levels = [a for a in arguments if _LEVEL.fullmatch(a)]
    # An optimization level counts as if it stood first.
    order = [*levels[-1:], *(a for a in arguments if a not in levels)]
    other: str | None = None
    for word in order:
        if word in ("-Ofast", "-fast"):
            blamed = dict.fromkeys(_ALL, f"`{word}`")
        elif found := _FLAG.fullmatch(word):
            for part in _GROUPS[found[2]]:
                is_loose = (found[1] is None) != (found[2] in _SWITCHED_ON)
                blamed[part] = f"`{word}`" if is_loose else None
        elif found := _MODEL.fullmatch(word):
            is_loose = found[1] in ("fast", "aggressive")
            blamed = dict.fromkeys(_ALL, f"`{word}`" if is_loose else None)
            contract = "off" if found[1] == "strict" else contract
        elif found := _CONTRACT.fullmatch(word):
            # What gcc calls `on` contracts nothing, and clang's contracts within expressions.
            contract = "off" if found[1] == "off" else f"`{word}`"
        elif _OTHERS.fullmatch(word):
            other = f"`{word}`"
    return next((b for b in blamed.values() if b), other), contract


def _in_text(text: str) -> Iterator[tuple[str, bool]]:
    """Pragmas and attributes that permit something, and whether that is contraction alone."""
    if "pragma" in text or "_Pragma" in text:
        for found in _PRAGMA.finditer(text):
            words = (found["line"] or found["operator"] or "").replace('\\"', '"')
            is_gcc = re.search(r"\bGCC\s+(optimize|target)\b", words)
            if _LOOSE_PRAGMA.search(words) or (is_gcc and _LOOSE_WORDS.search(words)):
                yield f"#pragma {words.strip().strip(chr(34))}", False
            elif _CONTRACT_PRAGMA.search(words):
                yield f"#pragma {words.strip().strip(chr(34))}", True
    if "optimize" in text:
        for found in _OPTIMIZE.finditer(text):
            if _LOOSE_WORDS.search(found["options"]):
                yield found[0], False


def _computing(kernel: Kernel) -> Iterator[Span]:
    """Where a kernel computes floats, rather than to copy them."""
    functions = [f.body for f in kernel.functions.values()]
    if any(_computes(e) for e in functions):
        yield kernel.span
    for stmt in _all_statements(kernel):
        if any(_computes(e) for e in expressions_of(stmt)):
            yield stmt.span


def _all_statements(kernel: Kernel) -> Iterable[Stmt]:
    return (*kernel.preconditions, *statements(kernel.body))


def _computes(expr: Expr) -> bool:
    """Whether a float is made of others, or compared; to copy, choose or convert one is exact."""
    for node in postorder(expr):
        if isinstance(node, Const) and node.type is F64 and not _is_single(float(node.value)):
            return True  # which `-fsingle-precision-constant` would change
        if not isinstance(node, (Load, Const, Variable, Select, Cast)) and (
            node.type.is_float or any(c.type.is_float for c in node.children)
        ):
            return True
    return False


def _is_single(value: float) -> bool:
    return value != value or c_float(value).value == value


def _has_products_and_sums(kernel: Kernel) -> bool:
    found: set[type[Expr]] = set()
    roots = [e for s in _all_statements(kernel) for e in expressions_of(s)]
    roots += [f.body for f in kernel.functions.values()]
    for node in postorder(*roots):
        if node.type.is_float and isinstance(node, (Add, Sub, Mul)):
            found.add(Mul if isinstance(node, Mul) else Add)
    return len(found) == 2
