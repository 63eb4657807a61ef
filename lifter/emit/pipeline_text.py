"""`pipeline.py`: the DSL program of a function as a Python module.

The module has the source's pure functions as Python functions, its constant tables as `Buffer`s,
and one function named as the kernel: it takes nothing and returns `(inputs, outputs)`. `inputs` are
the `ImageParam`s and `Param`s in the order of the original's parameters (those that the program
uses), `outputs` the `Func`s to realize, in the order of the arrays that they replace. It runs under
this project's compiler, whatever its package is called (`lifter/hl.py`), and, with LIFT_HL=halide
in the environment or `import halide as hl` in its place, under the Halide package.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from compiler.ir import Add, Call, Const, Expr, Sub

from .dialect import PYTHON
from .expression_text import ExpressionText
from .layout_text import broken
from .names import Names
from .program import (
    ConstantTable,
    Domain,
    FuncDefinition,
    Image,
    Output,
    Program,
    PureFunctionDefinition,
    Update,
)
from .sharing import shared

_INDENT = "    "


def pipeline_text(program: Program, description: Sequence[str]) -> str:
    """The module's text; `description` has the docstring's paragraphs, the first one a line."""
    lines = [*_docstring(description), ""]
    lines += ["import numpy as np", ""] if program.tables else []
    lines += ["from lifter import hl"]
    for table in program.tables:
        lines += ["", *_table(table)]
    for function in program.functions:
        lines += ["", "", *_pure_function(function)]
    lines += ["", "", f"def {program.name}():"]
    lines += [_INDENT + line if line else "" for line in _body(program)]
    return "\n".join(lines) + "\n"


def _docstring(description: Sequence[str]) -> list[str]:
    # Conditions are told as the source has them, and C++ may put three quotes beside each other.
    first, *rest = [p.replace("\\", "\\\\").replace('"', '\\"') for p in description]
    if not rest:
        return [f'"""{first}"""']
    lines = [f'"""{first}', ""]
    for paragraph in rest:
        lines += textwrap.wrap(paragraph, 98, subsequent_indent="    ", break_long_words=False)
    return [*lines, '"""']


def _pure_function(function: PureFunctionDefinition) -> list[str]:
    names = Names({"hl", "np", function.name, *(p.name for p in function.params)})
    header = f"def {function.name}({', '.join(p.name for p in function.params)}):"
    lines, text = _named_parts((function.body,), names, {})
    body = broken("return ", text.value(function.body), _INDENT, True)
    return [header, *(_INDENT + line for line in lines), *body]


def _named_parts(
    exprs: Sequence[Expr], names: Names, bound: Mapping[Expr, str]
) -> tuple[list[str], ExpressionText]:
    """Assignments of names to what `exprs` share, and the printer that uses them."""
    text = ExpressionText(PYTHON, bound)
    lines = []
    for part in shared(exprs):
        definition = text.value(part)
        name = names.take("t", "u", "v", "w")
        lines += broken(f"{name} = ", definition, "", True)
        text.bound[part] = name
    return lines, text


def _body(program: Program) -> list[str]:
    lines = [_vars(program.vars)] if program.vars else []
    for image in program.images:
        type = PYTHON.type(image.type)
        lines.append(f'{image.name} = hl.ImageParam({type}, {image.dimensions}, "{image.name}")')
        lines += _shape(image.name, image)
    for scalar in program.scalars:
        lines.append(f'{scalar.name} = hl.Param({PYTHON.type(scalar.type)}, "{scalar.name}")')
    names = Names(_all_names(program))
    for definition in program.definitions:
        lines += ["", *_definition(definition, names)]
    for output in program.outputs:
        lines += _shape(f"{output.func}.output_buffer()", output)
    lines += ["", f"return [{', '.join(program.inputs)}], [{_outputs(program.outputs)}]"]
    return lines


def _vars(vars: Sequence[str]) -> str:
    if len(vars) == 1:
        return f'{vars[0]} = hl.Var("{vars[0]}")'
    return f'{", ".join(vars)} = hl.vars("{" ".join(vars)}")'


def _outputs(outputs: Sequence[Output]) -> str:
    return ", ".join(output.func for output in outputs)


def _all_names(program: Program) -> set[str]:
    return {
        "hl", "np", program.name, *program.vars, *program.inputs,
        *(f.name for f in program.functions), *(t.name for t in program.tables),
        *(d.name for d in program.definitions),
        *(r.name for d in program.definitions for r in d.domains),
        *(u.domain.name for d in program.definitions for u in d.updates),
    }  # fmt: skip


def _shape(buffer: str, shaped: Image | Output) -> list[str]:
    """What differs from the language's defaults: stride 1 innermost, anything elsewhere."""
    lines = []
    for number, (step, fixed) in enumerate(zip(shaped.strides, shaped.bounds, strict=True)):
        promises = ""
        if fixed is not None:
            promises += f".set_bounds({fixed[0]}, {fixed[1]})"
        if step is None and number == 0:
            promises += ".set_stride(hl.Expr())"
        elif step is not None and (number > 0 or step != 1):
            promises += f".set_stride({step})"
        if promises:
            lines.append(f"{buffer}.dim({number}){promises}")
    return lines


def _table(table: ConstantTable) -> list[str]:
    dtype = PYTHON.type(table.type)
    kind = {"hl.UInt": "uint", "hl.Int": "int", "hl.Float": "float"}[dtype.split("(")[0]]
    values = ", ".join(repr(v) if table.type.is_float else str(int(v)) for v in table.values)
    array = f"np.array([{values}], np.{kind}{table.type.bits})"
    if len(table.shape) > 1:
        rows = ", ".join(str(n) for n in reversed(table.shape))
        array += f".reshape({rows})"
    if len(array) < 70:
        return [f"{table.name} = hl.Buffer({array})"]
    lines = [f"{table.name} = hl.Buffer(", f"{_INDENT}np.array(", f"{_INDENT * 2}["]
    lines += textwrap.wrap(values, 88, initial_indent=_INDENT * 3, subsequent_indent=_INDENT * 3)
    shape = (
        array[array.rindex(")") :] if len(table.shape) == 1 else array[array.index(".reshape") :]
    )
    ending = "" if len(table.shape) == 1 else shape
    return [*lines, f"{_INDENT * 2}],", f"{_INDENT * 2}np.{kind}{table.type.bits},",
            f"{_INDENT}){ending}", ")"]  # fmt: skip


def _definition(definition: FuncDefinition, names: Names) -> list[str]:
    lines = [f'{definition.name} = hl.Func("{definition.name}")']
    for domain in definition.domains:
        lines.append(_domain(domain))
    parts, text = _named_parts(definition.values, names, {})
    lines += parts
    point = text.access(definition.name, definition.vars)
    lines += broken(f"{point} = ", text.values(definition.values), "", True)
    for update in definition.updates:
        lines += _update(definition, update, names)
    return lines


def _domain(domain: Domain) -> str:
    text = ExpressionText(PYTHON)
    bounds = ", ".join(f"({text.index(low)}, {text.index(size)})" for low, size in domain.bounds)
    return f'{domain.name} = hl.RDom([{bounds}], "{domain.name}")'


def _update(definition: FuncDefinition, update: Update, names: Names) -> list[str]:
    lines, text = _named_parts((*update.values, *update.point), names, {})
    point = text.access(definition.name, update.point)
    operator, rest = "=", update.values[0]
    if (
        len(update.values) == 1
        and isinstance(rest, (Add, Sub))
        and rest not in text.bound
        and _reads(rest.a, definition, update)
    ):
        operator, rest = ("+=" if isinstance(rest, Add) else "-="), rest.b
    if operator == "=":
        value = text.values(update.values)
    else:
        value = text.text(rest) if isinstance(rest, Const) else text.value(rest)
    domain = [_domain(update.domain)] if update.domain.bounds else []
    return [*domain, *lines, *broken(f"{point} {operator} ", value, "", True)]


def _reads(expr: Expr, definition: FuncDefinition, update: Update) -> bool:
    return (
        isinstance(expr, Call)
        and expr.kind == "func"
        and expr.name == definition.name
        and expr.args == update.point
    )
