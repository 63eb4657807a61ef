"""Every context in which a place can stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .case import Number
from .places import PlaceForm


@dataclass(frozen=True)
class Use:
    """A context: `L` is the place, `{T}` the number type, `{V}` the place's own type."""

    name: str
    text: str
    only: str = ""
    """`integer` or `float` where it is for these alone; `own` where the place has the number type;
    `still` where evaluating the place must change nothing. Apart by blanks."""


_USES = (
    Use("value", "o = L;"),
    Use("value-in-sum", "o = L + y;", "still"),
    Use("value-in-product", "o = y * L - x;", "still"),
    Use("initializer", "{V} q = L; x = 2; y = 3; o = q;"),
    Use("initializer-in-parentheses", "{V} q(L); x = 2; o = q;"),
    Use("initializer-in-braces", "{V} q{{L}}; x = 2; o = q;"),
    Use("initializer-deduced", "auto q = L; q += 2; o = q;"),
    Use("constant", "const {V} q = L; x = 9; y = 4; o = q;"),
    Use("converted", "double q = L; x = 2; o = ({T})(q / 2);"),
    Use("converted-integer", "long q = (long)L; x = 2; o = ({T})(q & 63);"),
    Use("converted-byte", "uint8_t q = (uint8_t)(int)L; o = q;"),
    Use("converted-float", "float q = (float)L; o = ({T})(q * 0.5f);"),
    Use("converted-bool", "bool q = L; x = 0; o = q ? 3 : 4;"),
    Use("reference", "{V} &q = L; q = 7; o = q;"),
    Use("reference-read-later", "{V} &q = L; x = 4; y = 3; o = q;"),
    Use("reference-changed-twice", "{V} &q = L; q += 2; q *= 3; o = x;"),
    Use("constant-reference", "const {V} &q = L; x = 4; y = 3; o = q;"),
    Use("forwarding-reference", "auto &&q = L; q = 6; x += 2; o = q;"),
    Use("deduced-reference", "auto &q = L; q = 6; y += 2; o = q;"),
    Use("reference-to-reference", "{V} &q0 = L; {V} &q = q0; q = 8; o = q0;"),
    Use("converted-constant-reference", "const long &q = (long)L; x = 4; y = 1; o = ({T})q;"),
    Use("implicitly-converted-reference", "const short &q = ({W})L; x = 4; y = 1; o = q;"),
    Use("temporary-reference", "{V} &&q = ({V})L; q = 5; x = 3; o = q;"),
    Use("temporary-of-sum", "const {V} &q = L + 0; x = 3; y = 2; o = q;"),
    Use("temporary-of-sign", "const auto &q = +(L); x = 3; y = 2; o = ({T})q;"),
    Use("pointer", "{V} *q = &(L); *q = 7; o = *q;"),
    Use("pointer-read-later", "{V} *q = &(L); x = 2; y = 5; o = *q;"),
    Use("pointer-to-constant", "const {V} *q = &(L); x = 2; o = q[0];"),
    Use("address-dereferenced", "*&(L) = 7;"),
    Use("by-value", "o = add_{N}(L, y);", "own"),
    Use("by-value-second", "o = add_{N}(1, L);", "own"),
    Use("by-value-changed", "o = grow_{N}(L);", "own"),
    Use("by-value-beside-pointer", "o = twist_{N}(&o, L);", "own"),
    Use("by-value-beside-own-pointer", "o = twist_{N}(&x, L);", "own still"),
    Use("by-value-beside-reference", "o = shift_{N}(x, L);", "own still"),
    Use("by-value-beside-held-pointer", "{T} *q = &x; o = twist_{N}(q, L);", "own still"),
    Use("by-value-beside-itself", "o = shift_{N}(L, L);", "own still"),
    Use("by-value-in-parentheses", "o = twist_{N}(&x, (L));", "own still"),
    Use("by-value-of-sum", "o = twist_{N}(&x, L + 1);", "own still"),
    Use("by-reference", "put_{N}(L, 7);", "own"),
    Use("by-reference-with-value", "o = shift_{N}(L, y);", "own still"),
    Use("by-reference-in-parentheses", "put_{N}((L), 7);", "own"),
    Use("by-constant-reference", "o = watch_{N}(&x, L);", "own still"),
    Use("by-constant-reference-beside-reference", "o = peek_{N}(x, L);", "own still"),
    Use("by-converted-constant-reference", "o = ({T})wide_{N}(&x, (long)L);", "own still"),
    Use("by-pointer", "set_{N}(&(L), 7);", "own"),
    Use("by-pointer-and-value", "o = twist_{N}(&(L), y);", "own still"),
    Use("by-two-pointers", "swap_{N}(&(L), &o);", "own"),
    Use("swapped", "std::swap(L, o);", "own"),
    Use("swapped-by-hand", "trade_{N}(L, o);", "own"),
    Use("passed-on", "o = ref_{N}(L);", "own"),
    Use("passed-on-and-changed", "ref_{N}(L) = 9;", "own"),
    Use("passed-to-lambda", "auto f = []({V} &u0) {{ u0 = 4; }}; f(L); o = x;"),
    Use("passed-to-lambda-by-value", "auto f = [&]({V} u0) {{ x = 4; return u0; }}; o = f(L);"),
    Use("assigned", "L = y + 1;"),
    Use("assigned-constant", "L = 3;"),
    Use("assigned-itself", "L = L + 2;", "still"),
    Use("assigned-float", "L = 2.75f;"),
    Use("assigned-wide", "L = 300;"),
    Use("assigned-value-used", "o = (L = y + 2);"),
    Use("assigned-in-chain", "o = L = 5;"),
    Use("assigned-at-the-head", "L = o = y + 2;"),
    Use("assigned-place", "(L = 5) += 2;"),
    Use("compound-add", "L += 3;"),
    Use("compound-subtract", "L -= y;", "still"),
    Use("compound-multiply", "L *= 3;"),
    Use("compound-divide", "L /= 3;"),
    Use("compound-remainder", "L %= 5;", "integer"),
    Use("compound-and", "L &= 6;", "integer"),
    Use("compound-or", "L |= 6;", "integer"),
    Use("compound-xor", "L ^= 5;", "integer"),
    Use("compound-left", "L <<= 2;", "integer"),
    Use("compound-right", "L >>= 1;", "integer"),
    Use("compound-with-double", "L *= 1.5;"),
    Use("compound-with-itself", "L += L;", "still"),
    Use("compound-value-used", "o = (L += 2);"),
    Use("compound-place", "(L += 2) *= 3;"),
    Use("step-before", "++L;"),
    Use("step-after", "(L)++;"),
    Use("step-down", "--L;"),
    Use("step-before-used", "o = ++L;"),
    Use("step-after-used", "o = (L)++;"),
    Use("step-down-used", "o = (L)--;"),
    Use("step-twice", "++ ++L;"),
    Use("step-in-sum", "o = (L)++ + o;"),
    Use("condition", "if (L > 3) o = 2; else y = 9;"),
    Use("condition-as-it-is", "if (L) o = 2;"),
    Use("condition-negated", "o = !L;"),
    Use("condition-of-conditional", "o = L > y ? 2 : 3;", "still"),
    Use("chosen", "o = c ? L : y;"),
    Use("chosen-second", "o = j ? y : L;"),
    Use("both-chosen", "o = j ? L : L;", "still"),
    Use("conjunction", "o = L > 1 && y;"),
    Use("conjunction-second", "o = y && L > 1;"),
    Use("disjunction", "o = L > 90 || y > 3;"),
    Use("disjunction-second", "o = y > 3 || L > 90;"),
    Use("guarded-change", "if (c && (L = 4)) o = 2;"),
    Use("condition-of-loop", "for (int q = 0; q < 3 && L > q; q++) o += 1;", "still"),
    Use("changed-in-loop", "for (int q = 0; q < 3; q++) L += q;", "still"),
    Use("reference-in-loop", "for (int q = 0; q < 2; q++) {{ {V} &r9 = L; r9 += q; }}", "still"),
    Use("switched",
        "switch ((int)L & 3) {{ case 0: o = 5; break; case 2: o = 6; default: o += 2; }}"),
    Use("index", "{T} tb[4] = {{1, 5, 2, 8}}; o = tb[(int)L & 3];"),
    Use("index-of-store", "{T} tb[4] = {{1, 5, 2, 8}}; tb[(int)L & 3] = 9; o = tb[1] + tb[2];"),
    Use("index-of-table", "static const {T} tb[4] = {{1, 5, 2, 8}}; o = tb[(int)L & 3];"),
    Use("discarded", "L;"),
    Use("discarded-by-cast", "(void)(L);"),
    Use("comma-before", "o = (L, 5);"),
    Use("comma-after", "o = (y = 2, L);"),
    Use("sequenced-store-and-read", "o = (L = 5, x);"),
    Use("sequenced-read-and-store", "o = L, x = 3;"),
    Use("sequenced-twice", "L = 4, L += 2;", "still"),
    Use("negated", "o = -(L);"),
    Use("plus", "o = +(L);"),
    Use("complement", "o = ~L;", "integer"),
    Use("shifted", "o = L << 1;", "integer"),
    Use("shift-amount", "o = 1 << (L & 3);", "integer"),
    Use("masked", "o = L & 5;", "integer"),
    Use("divided", "o = L / 3;"),
    Use("remainder", "o = L % 3;", "integer"),
    Use("compared", "o = L == y;", "still"),
    Use("compared-as-double", "o = L < 2.5;"),
    Use("size", "o = sizeof(L);", "still"),
    Use("size-of-type", "o = sizeof(decltype(L + 0));", "still"),
    Use("captured-by-reference", "auto f = [&]({V} u0) {{ L = u0; }}; f(3); o = x;"),
    Use("captured-and-read", "auto f = [&]() {{ return L; }}; x = 2; o = f();"),
    Use("captured-by-value", "auto f = [=]() {{ return L; }}; x = 2; y = 3; o = f();", "copied"),
    Use("returned-by-lambda", "auto f = [&]() -> {V} & {{ return L; }}; f() = 6; o = x;"),
    Use("part-of-object", "S_{N} q = {{L, y, {{1, 2}}}}; x = 3; o = q.a;", "own"),
    Use("part-of-array", "{V} q[2] = {{L, 1}}; x = 3; o = q[0];"),
    Use("member-reference", "R_{N} q = {{L}}; q.r = 8; o = q.r;", "own"),
    Use("member-reference-by-constructor", "H_{N} q(L); q.r = 8; o = q.r;", "own"),
    Use("member-pointer", "P_{N} q = {{&(L)}}; *q.p = 8; o = x;", "own"),
    Use("method-argument", "S_{N} q = {{1, 2, {{3, 4}}}}; q.add(L); o = q.a;", "own"),
    Use("minimum", "o = std::min<{T}>(L, 3);"),
    Use("clamped", "o = std::max<{T}>(std::min<{T}>(L, 9), 2);"),
    Use("in-block", "{{ {V} q = L; {{ {V} x = q; x += 1; o = x; }} }}"),
    Use("in-do-once", "do {{ L = 4; }} while (0);"),
    Use("early-continue", "if (L > 5) {{ d[i] = 3; continue; }} o = 2;"),
    Use("filled-in-branches", "if (c) L = 3; else L = 8;", "still"),
    Use("in-nested-branches", "if (c) {{ if (j) L = 3; }} else {{ o = 2; L += 1; }}", "still"),
)  # fmt: skip


def uses(number: Number, place: PlaceForm) -> Iterator[tuple[str, str]]:
    """The contexts that fit a place: their names, and their statements."""
    for use in _USES:
        only = use.only.split()
        own = place.type == number.spelling
        is_float = place.type in ("float", "double")
        if ("own" in only and not own) or ("still" in only and place.acts):
            continue
        if "integer" in only and is_float:
            continue
        if "copied" in only and (place.acts or not _copies(place)):
            continue
        text = use.text.format(
            T=number.spelling, N=number.name, V=place.type, W="long" if is_float else place.type
        )
        yield use.name, text.replace("L", place.text) if "L" in text else text


def _copies(place: PlaceForm) -> bool:
    """Whether a place can be read inside of a lambda that captures by value."""
    return place.name.startswith(
        ("name", "parentheses", "reference-", "pointer", "conditional-of-p")
    )
