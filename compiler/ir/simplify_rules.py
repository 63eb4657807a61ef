"""The simplifier's rewrite rules, as named data; each is proved by tests/ir/test_simplify.py.

The right side must be smaller than the left, or nearer to the form that other rules expect
(constants on the right, comparisons as `<` and `<=`).
"""

from __future__ import annotations

from .rewriting import Rule, RuleSet

_ARITHMETIC = (
    Rule("constant-right-add", "iuf", lambda w: (w.c + w.x, w.x + w.c)),
    Rule("constant-right-mul", "iuf", lambda w: (w.c * w.x, w.x * w.c)),
    Rule("add-zero", "iu", lambda w: (w.x + 0, w.x)),
    Rule("sub-zero", "iu", lambda w: (w.x - 0, w.x)),
    Rule("sub-zero-float", "f", lambda w: (w.x - 0, w.x)),
    Rule("sub-self", "iu", lambda w: (w.x - w.x, 0)),
    Rule("zero-minus", "iu", lambda w: (0 - w.x, -w.x)),
    Rule("neg-neg", "iuf", lambda w: (-(-w.x), w.x)),  # noqa: B002
    Rule("mul-one", "iuf", lambda w: (w.x * 1, w.x)),
    Rule("mul-zero", "iu", lambda w: (w.x * 0, 0)),
    Rule("mul-mul", "iu", lambda w: (w.x * w.c * w.d, w.x * (w.c * w.d))),
    Rule("div-one", "iuf", lambda w: (w.x / 1, w.x)),
    Rule("zero-div", "iu", lambda w: (0 / w.x, 0)),
    Rule("div-zero", "iu", lambda w: (w.x / 0, 0)),
    Rule("div-div", "iu", lambda w: (w.x / w.c / w.d, w.x / (w.c * w.d)),
         lambda f: f["c"] > 0 and f["d"] > 0 and f.type.contains(int(f["c"] * f["d"]))),
    Rule("mod-one", "iu", lambda w: (w.x % 1, 0)),
    Rule("zero-mod", "iu", lambda w: (0 % w.x, 0)),
    Rule("mod-mod", "iu", lambda w: (w.x % w.c % w.c, w.x % w.c)),
    Rule("div-mod-whole", "iu", lambda w: (w.x / w.c * w.c + w.x % w.c, w.x),
         lambda f: f["c"] != 0),
    Rule("mod-div-whole", "iu", lambda w: (w.x % w.c + w.x / w.c * w.c, w.x),
         lambda f: f["c"] != 0),
)  # fmt: skip

_MIN_MAX = (
    Rule("constant-right-min", "iu", lambda w: (w.c.min(w.x), w.x.min(w.c))),
    Rule("constant-right-max", "iu", lambda w: (w.c.max(w.x), w.x.max(w.c))),
    Rule("min-self", "iuf", lambda w: (w.x.min(w.x), w.x)),
    Rule("max-self", "iuf", lambda w: (w.x.max(w.x), w.x)),
    Rule("min-largest", "iu", lambda w: (w.x.min(w.type.max), w.x)),
    Rule("min-smallest", "iu", lambda w: (w.x.min(w.type.min), w.type.min)),
    Rule("max-smallest", "iu", lambda w: (w.x.max(w.type.min), w.x)),
    Rule("max-largest", "iu", lambda w: (w.x.max(w.type.max), w.type.max)),
    Rule("min-min-same", "iu", lambda w: (w.x.min(w.y).min(w.y), w.x.min(w.y))),
    Rule("min-min-first", "iu", lambda w: (w.x.min(w.y).min(w.x), w.x.min(w.y))),
    Rule("max-max-same", "iu", lambda w: (w.x.max(w.y).max(w.y), w.x.max(w.y))),
    Rule("max-max-first", "iu", lambda w: (w.x.max(w.y).max(w.x), w.x.max(w.y))),
    Rule("min-min-constants", "iu", lambda w: (w.x.min(w.c).min(w.d), w.x.min(w.c.min(w.d)))),
    Rule("max-max-constants", "iu", lambda w: (w.x.max(w.c).max(w.d), w.x.max(w.c.max(w.d)))),
    Rule("min-of-max", "iu", lambda w: (w.x.max(w.y).min(w.y), w.y)),
    Rule("max-of-min", "iu", lambda w: (w.x.min(w.y).max(w.y), w.y)),
)

_BITS = (
    Rule("constant-right-and", "iu", lambda w: (w.c & w.x, w.x & w.c)),
    Rule("constant-right-or", "iu", lambda w: (w.c | w.x, w.x | w.c)),
    Rule("constant-right-xor", "iu", lambda w: (w.c ^ w.x, w.x ^ w.c)),
    Rule("and-self", "iu", lambda w: (w.x & w.x, w.x)),
    Rule("or-self", "iu", lambda w: (w.x | w.x, w.x)),
    Rule("xor-self", "iu", lambda w: (w.x ^ w.x, 0)),
    Rule("and-zero", "iu", lambda w: (w.x & 0, 0)),
    Rule("and-ones", "iu", lambda w: (w.x & w.type.wrap(-1), w.x)),
    Rule("or-zero", "iu", lambda w: (w.x | 0, w.x)),
    Rule("xor-zero", "iu", lambda w: (w.x ^ 0, w.x)),
    Rule("and-and-constants", "iu", lambda w: (w.x & w.c & w.d, w.x & (w.c & w.d))),
    Rule("not-not-bits", "iu", lambda w: (~~w.x, w.x)),
    Rule("shl-zero", "iu", lambda w: (w.x << 0, w.x)),
    Rule("shr-zero", "iu", lambda w: (w.x >> 0, w.x)),
)

_COMPARISONS = (
    Rule("equal-self", "iub", lambda w: (w.x.equals(w.x), True)),
    Rule("unequal-self", "iub", lambda w: (w.x.differs(w.x), False)),
    Rule("less-self", "iuf", lambda w: (w.x < w.x, False)),
    Rule("at-most-self", "iu", lambda w: (w.x <= w.x, True)),
    Rule("greater-is-less", "iuf", lambda w: (w.x > w.y, w.y < w.x)),
    Rule("at-least-is-at-most", "iuf", lambda w: (w.x >= w.y, w.y <= w.x)),
    Rule("below-smallest", "iu", lambda w: (w.x < w.constant(w.type.min), False)),
    Rule("above-largest", "iu", lambda w: (w.constant(w.type.max) < w.x, False)),
    Rule("at-least-smallest", "iu", lambda w: (w.constant(w.type.min) <= w.x, True)),
    Rule("at-most-largest", "iu", lambda w: (w.x <= w.constant(w.type.max), True)),
    Rule("equal-after-adding", "iu", lambda w: ((w.x + w.c).equals(w.d), w.x.equals(w.d - w.c))),
    Rule("remainder-below-divisor", "i", lambda w: (w.x % w.c < w.d, True),
         lambda f: 0 < f["c"] <= f["d"]),
)  # fmt: skip

_LOGIC = (
    Rule("and-true", "b", lambda w: (w.x & True, w.x)),
    Rule("true-and", "b", lambda w: (w.constant(True) & w.x, w.x)),
    Rule("and-false", "b", lambda w: (w.x & False, False)),
    Rule("false-and", "b", lambda w: (w.constant(False) & w.x, False)),
    Rule("or-true", "b", lambda w: (w.x | True, True)),
    Rule("true-or", "b", lambda w: (w.constant(True) | w.x, True)),
    Rule("or-false", "b", lambda w: (w.x | False, w.x)),
    Rule("false-or", "b", lambda w: (w.constant(False) | w.x, w.x)),
    Rule("and-same", "b", lambda w: (w.x & w.x, w.x)),
    Rule("or-same", "b", lambda w: (w.x | w.x, w.x)),
    Rule("not-not", "b", lambda w: (~~w.x, w.x)),
    Rule("equal-true", "b", lambda w: (w.x.equals(True), w.x)),
    Rule("unequal-false", "b", lambda w: (w.x.differs(False), w.x)),
    Rule("not-equal", "iufb", lambda w: (~w.x.equals(w.y), w.x.differs(w.y))),
    Rule("not-unequal", "iufb", lambda w: (~w.x.differs(w.y), w.x.equals(w.y))),
    Rule("not-less", "iu", lambda w: (~(w.x < w.y), w.y <= w.x)),
    Rule("not-at-most", "iu", lambda w: (~(w.x <= w.y), w.y < w.x)),
)

ALL_RULES: tuple[Rule, ...] = (*_ARITHMETIC, *_MIN_MAX, *_BITS, *_COMPARISONS, *_LOGIC)
RULES = RuleSet(ALL_RULES)
