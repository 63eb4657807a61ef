"""A compiler for image-processing pipelines in Halide's Python dialect: `import compiler as hl`."""

from .lang import (
    BFloat, Bool, Buffer, Expr, Float, Func, FuncRef, HalideError, ImageParam, Int,
    OutputImageParam, Param, Pipeline, RDom, Range, RVar, Stage, TailStrategy, Tuple, Type, UInt,
    Var, abs, absd, cast, ceil, clamp, cos, div_round_to_zero, exp, f32, f64, floor, i8, i8_sat,
    i16, i16_sat, i32, i32_sat, i64, i64_sat, likely, log, logical_not, max, maximum, min, minimum,
    mod_round_to_zero, mux, pow, product, round, saturating_add, saturating_cast, saturating_sub,
    select, sin, sqrt, sum, trunc, u8, u8_sat, u16, u16_sat, u32, u32_sat, u64, u64_sat, undef,
    vars,
)  # fmt: skip
