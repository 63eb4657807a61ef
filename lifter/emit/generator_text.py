"""`generator.cpp`: the DSL program of a function as a Halide C++ generator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compiler.ir import Add, Call, Const, Expr, Sub

from .dialect import CPP
from .expression_text import ExpressionText
from .layout_text import broken
from .names import Names
from .program import (
    ConstantTable,
    Domain,
    Fixed,
    FuncDefinition,
    Image,
    Output,
    Program,
    PureFunctionDefinition,
    Scalar,
    Update,
)  # fmt: skip
from .sharing import shared

_INDENT = "    "
ESTIMATE = (1024, 1024)
"""Estimates for the autoscheduler where an extent varies: an image of ordinary size."""


def generator_text(program: Program, description: Sequence[str]) -> str:
    """The C++ source; `description` has the opening comment's paragraphs."""
    lines = [f"// {paragraph}" for paragraph in description]
    lines += ["", '#include "Halide.h"', "", "using namespace Halide;", "", "namespace {"]
    for function in program.functions:
        lines += ["", *_pure_function(function)]
    lines += ["", f"class {program.name} : public Generator<{program.name}> {{", "public:"]
    lines += [_INDENT + line for line in _declarations(program)]
    lines += ["", _INDENT + "void generate() {", *_indented(_generate(program), 2), _INDENT + "}"]
    lines += ["", _INDENT + "void schedule() {", *_indented(_schedule(program), 2), _INDENT + "}"]
    lines += _locals(program)
    lines += ["};", "", "}  // namespace", ""]
    lines += [f"HALIDE_REGISTER_GENERATOR({program.name}, {program.name})"]
    return "\n".join(lines) + "\n"


def _indented(lines: Iterable[str], depth: int) -> list[str]:
    return [_INDENT * depth + line if line else "" for line in lines]


def _pure_function(function: PureFunctionDefinition) -> list[str]:
    names = Names({function.name, *(p.name for p in function.params)})
    params = ", ".join(f"Expr {p.name}" for p in function.params)
    lines, text = _named_parts((function.body,), names)
    body = broken("return ", text.value(function.body) + ";", _INDENT, False)
    name = CPP.function(function.name)
    return [f"Expr {name}({params}) {{", *_indented(lines, 1), *body, "}"]


def _named_parts(exprs: Sequence[Expr], names: Names) -> tuple[list[str], ExpressionText]:
    text = ExpressionText(CPP)
    lines = []
    for part in shared(exprs):
        definition = text.value(part)
        name = names.take("t", "u", "v", "w")
        lines += broken(f"Expr {name} = ", definition + ";", "", False)
        text.bound[part] = name
    return lines, text


def _output_names(program: Program) -> set[str]:
    return {output.func for output in program.outputs}


def _declarations(program: Program) -> list[str]:
    by_name: dict[str, Image | Scalar] = {i.name: i for i in program.images}
    by_name |= {s.name: s for s in program.scalars}
    lines = []
    for name in program.inputs:
        item = by_name[name]
        if isinstance(item, Image):
            lines.append(
                f'Input<Buffer<{CPP.type(item.type)}, {item.dimensions}>> {name}{{"{name}"}};'
            )
        else:
            lines.append(f'Input<{CPP.type(item.type)}> {name}{{"{name}"}};')
    for output in program.outputs:
        kind = f"Buffer<{CPP.type(output.type)}, {len(output.strides)}>"
        lines.append(f'Output<{kind}> {output.func}{{"{output.func}"}};')
    return lines


def _locals(program: Program) -> list[str]:
    """Coordinates and intermediate stages, which schedule() may want too."""
    lines = []
    if program.vars:
        lines.append("Var " + ", ".join(f'{v}{{"{v}"}}' for v in program.vars) + ";")
    own = _output_names(program)
    lines += [f'Func {d.name}{{"{d.name}"}};' for d in program.definitions if d.name not in own]
    return ["", "private:", *_indented(lines, 1)] if lines else []


def _generate(program: Program) -> list[str]:
    names = Names(
        {program.name, *program.vars, *program.inputs, *(f.name for f in program.functions)}
        | {t.name for t in program.tables} | {d.name for d in program.definitions}
        | {r.name for d in program.definitions for r in d.domains}
        | {u.domain.name for d in program.definitions for u in d.updates}
    )  # fmt: skip
    lines: list[str] = []
    for image in program.images:
        lines += _shape(image.name, image)
    for output in program.outputs:
        lines += _shape(output.func, output)
    for table in program.tables:
        lines += _table(table)
    for definition in program.definitions:
        lines += _definition(definition, names)
    return lines


def _shape(buffer: str, shaped: Image | Output) -> list[str]:
    """What differs from the language's defaults: stride 1 innermost, anything elsewhere."""
    lines = []
    for number, (step, fixed) in enumerate(zip(shaped.strides, shaped.bounds, strict=True)):
        promises = ""
        if fixed is not None:
            promises += f".set_bounds({fixed[0]}, {fixed[1]})"
        if step is None and number == 0:
            promises += ".set_stride(Expr())"
        elif step is not None and (number > 0 or step != 1):
            promises += f".set_stride({step})"
        if promises:
            lines.append(f"{buffer}.dim({number}){promises};")
    return lines


def _table(table: ConstantTable) -> list[str]:
    text = ExpressionText(CPP)
    type = CPP.type(table.type)
    values = ", ".join(text.text(Const(table.type, v)) for v in table.values)
    shape = ", ".join(map(str, table.shape))
    data = broken(f"static {type} {table.name}_values[] = ", "{" + values + "};", "", False)
    if len(data[0]) > 99:
        data = _rows(f"static {type} {table.name}_values[] = {{", values)
    made = f"Buffer<{type}, {len(table.shape)}> {table.name}({table.name}_values, {shape});"
    return [*data, made]


def _rows(head: str, values: str) -> list[str]:
    import textwrap

    rows = textwrap.wrap(values, 86, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return [head, *rows, "};"]


def _definition(definition: FuncDefinition, names: Names) -> list[str]:
    lines = [_domain(domain) for domain in definition.domains]
    parts, text = _named_parts(definition.values, names)
    point = text.access(definition.name, definition.vars)
    lines += parts
    lines += broken(f"{point} = ", text.values(definition.values) + ";", "", False)
    for update in definition.updates:
        lines += _update(definition, update, names)
    return lines


def _domain(domain: Domain) -> str:
    text = ExpressionText(CPP)
    if len(domain.bounds) == 1:
        low, size = domain.bounds[0]
        bounds = f"{text.index(low)}, {text.index(size)}"
    else:
        bounds = ", ".join(f"{{{text.index(a)}, {text.index(b)}}}" for a, b in domain.bounds)
        bounds = f"{{{bounds}}}"
    return f'RDom {domain.name}({bounds}, "{domain.name}");'


def _update(definition: FuncDefinition, update: Update, names: Names) -> list[str]:
    lines, text = _named_parts((*update.values, *update.point), names)
    point = text.access(definition.name, update.point)
    operator, rest = "=", update.values[0]
    is_one = len(update.values) == 1
    if is_one and isinstance(rest, (Add, Sub)) and rest not in text.bound:
        own = Call(definition.name, update.point, rest.type, "func")
        if rest.a is own:
            operator, rest = ("+=" if isinstance(rest, Add) else "-="), rest.b
    value = text.argument(rest) if operator != "=" else text.values(update.values)
    domain = [_domain(update.domain)] if update.domain.bounds else []
    return [*domain, *lines, *broken(f"{point} {operator} ", value + ";", "", False)]


def _schedule(program: Program) -> list[str]:
    """Nothing but estimates: schedules are the autoscheduler's business."""
    lines = ["// Estimates for an autoscheduler; without one every stage is inlined."]
    for image in program.images:
        lines.append(f"{image.name}.set_estimates({_ranges(image.dimensions, image.bounds)});")
    for scalar in program.scalars:
        lines.append(f"{scalar.name}.set_estimate({_scalar_estimate(scalar)});")
    for output in program.outputs:
        fixed = tuple(map(_constant_range, output.region.bounds))
        lines.append(f"{output.func}.set_estimates({_ranges(len(output.strides), fixed)});")
    return lines


def _constant_range(bounds: tuple[Expr, Expr]) -> Fixed:
    low, high = bounds
    if isinstance(low, Const) and isinstance(high, Const):
        return int(low.value), int(high.value) - int(low.value)
    return None


def _ranges(dimensions: int, fixed: Sequence[Fixed]) -> str:
    """Estimated (min, extent) of each dimension; images of ordinary size where they vary."""
    varying = iter((*ESTIMATE, *(1,) * dimensions))
    ranges = [known or (0, next(varying)) for known in fixed]
    return "{" + ", ".join(f"{{{low}, {extent}}}" for low, extent in ranges) + "}"


def _scalar_estimate(scalar: Scalar) -> str:
    return "0.5f" if scalar.type.is_float else "1" if scalar.type.is_bool else "8"
