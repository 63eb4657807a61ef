"""The language: what a program says when it says `import compiler as hl`."""

from ..ir.types import BFloat, Bool, Float, Int, Type, UInt
from .buffer import Buffer, BufferDimension
from .errors import HalideError
from .expr import Expr
from .func import Func, FuncRef, Tuple
from .function import Definition, Function
from .functions import (
    abs,
    absd,
    cast,
    ceil,
    clamp,
    cos,
    div_round_to_zero,
    exp,
    f32,
    f64,
    floor,
    i8,
    i8_sat,
    i16,
    i16_sat,
    i32,
    i32_sat,
    i64,
    i64_sat,
    is_undef,
    likely,
    log,
    logical_not,
    max,
    min,
    mod_round_to_zero,
    mux,
    pow,
    round,
    saturating_add,
    saturating_cast,
    saturating_sub,
    select,
    sin,
    sqrt,
    trunc,
    u8,
    u8_sat,
    u16,
    u16_sat,
    u32,
    u32_sat,
    u64,
    u64_sat,
    undef,
)
from .params import ImageDimension, ImageParam, OutputImageParam, Param, Parameter
from .pipeline import Pipeline
from .reductions import maximum, minimum, product, sum
from .schedule import (
    ComputeLevel,
    Dimension,
    FunctionSchedule,
    Fuse,
    Split,
    StageSchedule,
    TailStrategy,
)
from .stage import Stage
from .variables import Range, RDom, ReductionDomain, RVar, Var, vars
