"""Results of functions, built by hand: what synthesis and proof would hand to emission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from compiler.ir import (
    EQ,
    F32,
    GE,
    GT,
    I32,
    I64,
    LE,
    U8,
    U16,
    U32,
    Add,
    BitAnd,
    Call,
    Cast,
    Const,
    Div,
    Expr,
    Max,
    Min,
    Mul,
    Select,
    Shr,
    Sub,
    Type,
    Variable,
    intrinsic,
)  # fmt: skip
from lifter.dag.reduce import Reduce
from lifter.model.diagnostic import Span
from lifter.model.kernel import Array, Kernel, Param, PureFunction
from lifter.model.lifted import FunctionResult
from lifter.model.proof import Obligation, Precondition, Proof
from lifter.model.summary import Dimension, Layout, Summary

SPAN = Span("tests/emit/sample.cpp", 7, 1, 12, 2)
X, Y, C = Variable("x", I32), Variable("y", I32), Variable("c", I32)
COLS, ROWS, STEP = (Variable(n, I64) for n in ("cols", "rows", "rowBytes"))
ZERO, ONE = Const(I64, 0), Const(I64, 1)
ZERO_I32 = Const(I32, 0)

_SPELLING = {U8: "uint8_t", U16: "uint16_t", U32: "uint32_t", I32: "int", F32: "float"}


def i32(value: int) -> Expr:
    return Const(I32, value)


def wide(expr: Expr) -> Expr:
    return Cast(I32, expr)


def narrow(expr: Expr) -> Expr:
    return Cast(U8, expr)


def read(array: str, *point: Expr, type: Type = U8) -> Expr:
    return Call(array, point, type, "image")


def array(name: str, type: Type = U8, const: bool = True) -> Param:
    spelling = f"{'const ' if const else ''}{_SPELLING[type]} *"
    return Param(name, "array", type, spelling, const, SPAN)


def scalar(name: str, type: Type = I32) -> Param:
    return Param(name, "scalar", type, _SPELLING[type], False, SPAN)


SIZES = (scalar("rows"), scalar("cols"), scalar("rowBytes"))
ROI = (Dimension(X, ZERO, COLS), Dimension(Y, ZERO, ROWS))
PLANE = (ONE, STEP)


def function(
    name: str,
    params: Sequence[Param],
    summaries: Sequence[Summary],
    *,
    tables: Sequence[Array] = (),
    functions: Sequence[PureFunction] = (),
    preconditions: Sequence[Precondition] = (),
) -> FunctionResult:
    arrays = {p.name: Array(p.name, p.type) for p in params if p.kind != "scalar"}
    arrays |= {t.name: t for t in tables}
    signature = f"void ({', '.join(p.spelling for p in params)})"
    kernel = Kernel(
        name, name, SPAN, signature, tuple(params), None, arrays,
        {f.name: f for f in functions}, (), (), source=f"void {name}();",
    )  # fmt: skip
    proof = Proof(
        "proved",
        (Obligation("value", summaries[0].stage, "equal", "proved", "structural", 0.01),),
        tuple(preconditions),
    )
    return FunctionResult(
        name, SPAN, signature, "proved", kernel=kernel, summaries=tuple(summaries), proof=proof
    )


def stage(
    output: str,
    expression: Expr,
    layouts: dict[str, tuple[Expr, ...]],
    roi: tuple[Dimension, ...] = ROI,
    kind: str = "pure",
    **more: object,
) -> Summary:
    return Summary(
        str(more.pop("stage", output)), output, kind, roi,  # type: ignore[arg-type]
        {a: Layout(a, strides, ZERO) for a, strides in layouts.items()}, (), expression, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def multiply() -> FunctionResult:
    """In place, with a pure function of the source."""
    a, b = Variable("a", U8), Variable("b", U8)
    t = Add(Mul(Cast(U32, a), Cast(U32, b)), Const(U32, 128))
    body = Cast(U8, Shr(Add(t, Shr(t, Const(U32, 8))), Const(U32, 8)))
    call = Call("Mul8x8Div255", (read("dst", X, Y), read("src", X, Y)), U8, "pure")
    return function(
        "MultiplyBlend8",
        (array("dst", const=False), array("src"), *SIZES),
        [stage("dst", call, {"dst": PLANE, "src": PLANE})],
        functions=[PureFunction("Mul8x8Div255", (a, b), body, SPAN)],
        preconditions=[
            Precondition("cols <= rowBytes", LE(COLS, STEP), "formula", "inferred"),
            Precondition(
                "dst and src do not overlap", None, "disjoint", "inferred", ("dst", "src")
            ),
        ],
    )


def opacity() -> FunctionResult:
    """In place, with a scalar: a weighted mean."""
    alpha = Variable("opacity", I32)
    value = Shr(
        Add(
            Mul(wide(read("dst", X, Y)), Sub(i32(256), alpha)), Mul(wide(read("src", X, Y)), alpha)
        ),
        i32(8),
    )
    return function(
        "normal_opacity_u8",
        (array("dst", const=False), array("src"), *SIZES, scalar("opacity")),
        [stage("dst", narrow(value), {"dst": PLANE, "src": PLANE})],
    )


def remap() -> FunctionResult:
    """A lookup table that the caller gives."""
    value = read("table", wide(read("src", X, Y)))
    return function(
        "RemapPlane",
        (array("dst", const=False), array("src"), array("table"), *SIZES),
        [stage("dst", value, {"dst": PLANE, "src": PLANE, "table": (ONE,)})],
    )


def box3() -> FunctionResult:
    """A stencil from one array to another."""
    total = Add(
        Add(wide(read("src", Sub(X, i32(1)), Y)), wide(read("src", X, Y))),
        wide(read("src", Add(X, i32(1)), Y)),
    )
    return function(
        "BoxBlurRow3",
        (array("dst", const=False), array("src"), *SIZES),
        [stage("dst", narrow(Div(total, i32(3))), {"dst": PLANE, "src": PLANE})],
    )


def two_stages() -> FunctionResult:
    """Through a local array of ints."""
    horizontal = Div(
        Add(
            Add(wide(read("src", Sub(X, i32(1)), Y)), wide(read("src", X, Y))),
            wide(read("src", Add(X, i32(1)), Y)),
        ),
        i32(3),
    )
    vertical = Add(
        Add(read("tmp", X, Sub(Y, i32(1)), type=I32), read("tmp", X, Y, type=I32)),
        read("tmp", X, Add(Y, i32(1)), type=I32),
    )
    inner = (ROI[0], Dimension(Y, ONE, Sub(ROWS, ONE)))
    return function(
        "blur_padded",
        (array("dst", const=False), array("src"), *SIZES),
        [
            stage("tmp", horizontal, {"tmp": PLANE, "src": PLANE}),
            stage("dst", narrow(Div(vertical, i32(3))), {"dst": PLANE, "tmp": PLANE}, inner),
        ],
        tables=[Array("tmp", I32, 1, "local")],
    )


def interleaved() -> FunctionResult:
    """RGBA pixels: colours mixed, alpha kept."""
    at = (C, X, Y)
    d, s = read("dst", *at), read("src", *at)
    value = Select(EQ(C, i32(3)), d, narrow(Div(Mul(wide(d), wide(s)), i32(255))))
    strides = (ONE, Const(I64, 4), STEP)
    return function(
        "multiply_rgba",
        (array("dst", const=False), array("src"), *SIZES),
        [
            stage(
                "dst", value, {"dst": strides, "src": strides},
                (Dimension(C, ZERO, Const(I64, 4)), *ROI),
            )
        ],
    )  # fmt: skip


def threshold() -> FunctionResult:
    """Pixels below the level stay as they are."""
    pixel = read("plane", X, Y)
    value = Select(GE(wide(pixel), Variable("level", I32)), Const(U8, 255), pixel)
    return function(
        "ThresholdKeep",
        (array("plane", const=False), scalar("level"), *SIZES),
        [stage("plane", value, {"plane": PLANE})],
    )


def gamma() -> FunctionResult:
    """Floats; an array with the name of a Python keyword."""
    v = Mul(read("in", X, Y, type=F32), Variable("exposure", F32))
    value = Select(GT(v, Const(F32, 0.0)), intrinsic("sqrt", v), Const(F32, 0.1))
    return function(
        "gamma_encode",
        (array("out", F32, False), array("in", F32), scalar("exposure", F32), *SIZES),
        [stage("out", value, {"out": PLANE, "in": PLANE})],
    )


def histogram() -> FunctionResult:
    """Cleared by one stage, counted by the next."""
    bins = (Dimension(Variable("i", I32), ZERO, Const(I64, 256)),)
    rx, ry = Variable("rx", I32), Variable("ry", I32)
    point = wide(read("src", rx, ry))
    count = Add(read("hist", point, type=U32), Const(U32, 1))
    return function(
        "Histogram8",
        (array("src"), *SIZES, array("hist", U32, False)),
        [
            stage("hist", Const(U32, 0), {"hist": (ONE,)}, bins),
            stage(
                "hist", count, {"hist": (ONE,), "src": PLANE}, bins, "reduction", stage="hist.2",
                domain=(Dimension(rx, ZERO, COLS), Dimension(ry, ZERO, ROWS)),
                update_point=(point,),
            ),
        ],
    )  # fmt: skip


def box_sum() -> FunctionResult:
    """A window sum whose radius the caller gives: nested reductions in an expression."""
    radius = Variable("radius", I32)
    span = Add(Mul(Const(I64, 2), Variable("radius", I64)), ONE)
    dx, dy = Variable("dx", I64), Variable("dy", I64)
    element = read("src", Sub(Add(X, wide(dx)), radius), Add(Y, Sub(wide(dy), radius)))
    total = Reduce("add", dy, span, Reduce("add", dx, span, wide(element)))
    return function(
        "box_sum",
        (array("sums", I32, False), array("src"), scalar("radius"), *SIZES),
        [stage("sums", total, {"sums": PLANE, "src": PLANE})],
    )


def constant_table() -> FunctionResult:
    """A table of the source, and a clamp written as min and max."""
    table = Array("kGain", I32, 1, "table", values=tuple(range(-128, 128)), shape=(256,), size=None)
    value = Add(wide(read("src", X, Y)), read("kGain", wide(read("dst", X, Y)), type=I32))
    clamped = Min(Max(value, i32(0)), i32(255))
    return function(
        "apply_gain",
        (array("dst", const=False), array("src"), *SIZES),
        [stage("dst", narrow(clamped), {"dst": PLANE, "src": PLANE, "kGain": (ONE,)})],
        tables=[table],
    )


def modes() -> FunctionResult:
    """A switch over blend modes around the loops: two branches, the others do nothing."""
    mode = Variable("mode", I32)
    d, s = read("dst", X, Y), read("src", X, Y)
    darken = Min(d, s)
    difference = narrow(intrinsic("absd", d, s))
    layouts = {"dst": PLANE, "src": PLANE}
    return function(
        "blend_mode",
        (array("dst", const=False), array("src"), *SIZES, scalar("mode")),
        [
            stage("dst", darken, layouts, condition=EQ(mode, i32(3))),
            stage("dst", difference, layouts, stage="dst.2", condition=EQ(mode, i32(5))),
        ],
    )


def dissolve() -> FunctionResult:
    """Unsigned hashing of the coordinates against an opacity."""
    h = Add(Mul(Cast(U32, Y), Const(U32, 73)), Mul(Cast(U32, X), Const(U32, 0x9E3779B1)))
    keep = GE(Cast(I32, BitAnd(h, Const(U32, 1023))), Variable("opacity", I32))
    value = Select(keep, read("dst", X, Y), read("src", X, Y))
    return function(
        "DissolveBlend8",
        (array("dst", const=False), array("src"), *SIZES, scalar("opacity")),
        [stage("dst", value, {"dst": PLANE, "src": PLANE})],
    )


def flip() -> FunctionResult:
    """Tables of row pointers."""
    cols = Variable("cols", I32)
    value = read("src", Sub(Sub(cols, i32(1)), X), Y)
    params = [Param(name, "rows", U8, "uint8_t **", False, SPAN) for name in ("dst", "src")]
    summary = stage("dst", value, {})
    layouts = {
        name: Layout(name, (ONE, Variable(f"{name}.row_stride", I64)), ZERO, rows=True)
        for name in ("dst", "src")
    }
    return function(
        "FlipHorizontal",
        (*params, scalar("rows"), scalar("cols")),
        [replace(summary, layouts=layouts)],
        preconditions=[
            Precondition("dst and src don't overlap", None, "disjoint", "inferred", ("dst", "src")),
            Precondition("the rows of dst are evenly spaced", None, "rows", "inferred", ("dst",)),
            Precondition("the rows of src are evenly spaced", None, "rows", "inferred", ("src",)),
            Precondition(
                "cols <= dst.row_stride",
                LE(COLS, Variable("dst.row_stride", I64)),
                "formula",
                "inferred",
            ),
        ],
    )


def brighten() -> FunctionResult:
    """Vectors: the size of one is the region."""
    value = Add(wide(read("src", X)), Variable("brightness", I32))
    clamped = narrow(Max(Min(value, i32(255)), ZERO_I32))
    size = Variable("src.size", I64)
    params = (
        Param("dst", "vector", U8, "std::vector<uint8_t> &", False, SPAN),
        Param("src", "vector", U8, "const std::vector<uint8_t> &", True, SPAN),
        scalar("brightness"),
    )
    return function(
        "brighten",
        params,
        [stage("dst", clamped, {"dst": (ONE,), "src": (ONE,)}, (Dimension(X, ZERO, size),))],
        preconditions=[
            Precondition(
                "src.size() <= dst.size()",
                LE(size, Variable("dst.size", I64)),
                "formula",
                "comment",
            ),
            Precondition("dst and src don't overlap", None, "disjoint", "inferred", ("dst", "src")),
        ],
    )


def smear() -> FunctionResult:
    """In place, reading a neighbour that the original hasn't overwritten yet."""
    value = Div(Add(wide(read("p", X)), wide(read("p", Add(X, i32(1))))), i32(2))
    roi = (Dimension(X, ZERO, Variable("n", I64)),)
    return function(
        "smear",
        (array("p", const=False), scalar("n")),
        [stage("p", narrow(value), {"p": (ONE,)}, roi)],
    )


SAMPLES = (
    multiply, opacity, remap, box3, two_stages, interleaved, threshold, gamma, histogram, box_sum,
    constant_table, modes, dissolve, flip, brighten, smear,
)  # fmt: skip
