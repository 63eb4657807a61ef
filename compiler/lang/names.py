"""Names of stages, images and parameters, unique where Halide makes them so.

Scalar parameters and buffer fields are `Variable`s like coordinates; a mark in their name keeps a
parameter `x` apart from a coordinate `x` until lowering has renamed the coordinates.
"""

from __future__ import annotations

import itertools
from collections import Counter

from ..ir import I32, Type, Variable

PARAMETER_MARK = "$param"
_given: set[str] = set()
"""The names of stages, images and parameters so far."""
_variables: set[str] = set()
"""The names of loop variables so far, of which many may have the same."""
_counts: Counter[str] = Counter()
_numbers = itertools.count()


def unique_name(name: str) -> str:
    """`name`, or `name$1`, `name$2`, ... where a stage, an image or a parameter has it."""
    made = name
    while made in _given:
        _counts[name] += 1
        made = f"{name}${_counts[name]}"
    _given.add(made)
    return made


def fresh_name(prefix: str) -> str:
    """A name that nobody has: `prefix` and a number."""
    made = f"{prefix}{next(_numbers)}"
    while made in _given or made in _variables:
        made = f"{prefix}{next(_numbers)}"
    _given.add(made)
    return made


def chosen_name(name: str) -> str:
    """`name`, which a user chose for an image or a parameter: callers know it by that, so that it
    stays as it is, and no stage gets it from now on."""
    _given.add(name)
    return name


def chosen_variable(name: str) -> str:
    """`name`, which a user chose for a loop variable: no other gets it unasked."""
    _variables.add(name)
    return name


def is_parameter_name(name: str) -> bool:
    """Whether `name` may name a parameter or an image: fields of images have a dot in theirs."""
    return bool(name) and "." not in name


def parameter_variable(name: str, type: Type) -> Variable:
    """The node that stands for scalar parameter `name` before lowering."""
    variable: Variable = Variable(name + PARAMETER_MARK, type)
    return variable


def buffer_field(buffer: str, field: str, dimension: int) -> Variable:
    """`b.min.0`, `b.extent.0` or `b.stride.0`, as compiler/ir/stmts.py names them."""
    variable: Variable = Variable(f"{buffer}.{field}.{dimension}", I32)
    return variable


def is_pure_variable_name(name: str) -> bool:
    """Whether a variable of this name is a `Var`: no parameter, reduction variable or field."""
    return "$" not in name and "." not in name
