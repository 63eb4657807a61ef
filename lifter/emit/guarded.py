"""The guarded entry in a header: lifted code where its proof holds, the original elsewhere.

With LIFT_SHADOW=n in the environment every n-th call runs both; `shadow_prelude.h` has how.

In libraries with kernels pointers may lead to a device. Where the lifted code can't run there, what
runs in its place gets copies of the allocations around them (`lift_cuda_bring`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compiler.ir import I64, Add, Const, Type

from ..dag import normal
from ..model.kernel import SourceParam
from .admits import Admits
from .c_expression import c_expression
from .interface import Interface, OutputView, Parameter
from .parameter_lists import (
    declared,
    given_tests,
    names_of,
    parameters,
    row_bounds,
    scalar_name,
)

SHADOW_PRELUDE = Path(__file__).with_name("shadow_prelude.h")
_BUILTIN = frozenset(
    {
        "char", "short", "int", "long", "float", "double", "signed", "unsigned", "const",
        "volatile", "restrict", "__restrict", "__restrict__", "size_t", "ptrdiff_t", "_Bool",
        "bool",
    }
)  # fmt: skip
"""The words that C's own types and their qualifiers are made of."""
MOST_AXES = 8
"""Dimensions that `shadow_prelude.h` has room for."""
_POINTER = (
    "#ifndef LIFT_POINTER",
    "#define LIFT_POINTER",
    "struct lift_pointer {",
    "    const void *place;",
    "    template <typename T> operator T *() const { return (T *)place; }",
    "};",
    "#endif",
)
"""A pointer that becomes one to whatever is asked for."""


@dataclass(frozen=True, slots=True)
class CallTexts:
    """How a function with the original's own parameters calls all that there is, as C texts."""

    parameters: str
    names: Sequence[str]
    """Of these parameters."""
    flat: Sequence[str]
    """The arguments of `NAME_admits` and `NAME_outputs`."""
    lifted: Sequence[str]
    original: Sequence[str]
    tests: str = ""
    """What must hold before the flat arguments can be formed, with `&&` after each."""
    places: dict[str, str] | None = None
    """Where scalars are that aren't parameters."""


def guarded(interface: Interface, on_device: bool = False) -> list[str]:
    """The lines of the guarded entry, of the shadow's regions before it; none for a method, nor for
    a part of a function.

    One that is for `on_device` takes pointers to devices.
    """
    call = call_of(interface)
    if call is None or "#" in interface.qualified_name:
        return []
    name = interface.name
    original = f"{name}_original" if _by_linkers_name(interface) else None
    outputs = [*outputs_function(interface), *compared_function(interface, call, original)]
    if on_device:
        outputs += _there(interface, call, original)
    entry = [
        "/* The lifted code where its proof holds, the original elsewhere. */",
        f"LIFT_INLINE {interface.result} {name}_guarded({call.parameters})",
        *choice(interface, call, original, on_device),
    ]
    if original is not None:
        lines = ["#ifdef __cplusplus", *_original(interface, call, original)]
        return [*lines, "", *outputs, *entry, "#endif"]
    if _has_objects_of_c(interface):
        return [*with_original(interface, "types and it itself are"), *outputs, *entry, "#endif"]
    if interface.takes_objects:
        return ["#ifdef __cplusplus", *with_original(interface, "classes are"), *outputs, *entry,
                "#endif", "#endif"]  # fmt: skip
    if "<" in interface.qualified_name:
        return ["#ifdef __cplusplus", *with_original(interface, "template is"), *_POINTER, *outputs,
                *entry, "#endif", "#endif"]  # fmt: skip
    if not (interface.is_c and _is_plain_c(interface)):
        lines = ["#ifdef __cplusplus", _prototype(interface, call)]
        return [*lines, "", *outputs, *entry, "#endif"]
    prototype = f"{interface.result} {interface.symbol}({call.parameters or 'void'});"
    return [
        *("#ifdef __cplusplus", _prototype(interface, call), "#else", prototype, "#endif", ""),
        *outputs,
        *entry,
    ]


def with_original(interface: Interface, what: str) -> list[str]:
    """Opens the lines that need the original's own declarations."""
    macro = "LIFT_WITH_ORIGINAL"
    return [
        f"/* define {macro}, or {macro}_{interface.name}, where the original's {what} declared */",
        f"#if defined({macro}) || defined({macro}_{interface.name})",
    ]


def _by_linkers_name(interface: Interface) -> bool:
    """Whether the original is declared under its linker's name, for want of its own declaration.

    A header can't tell a class from a namespace. And where types have names of the source's own,
    those that they have here make another overload, which may be another function.
    """
    if interface.takes_objects or "<" in interface.qualified_name:
        return False
    if not re.fullmatch(r"[\w$.]+", interface.symbol or ""):
        return False
    return "::" in interface.qualified_name or not _has_plain_types(interface)


def _original(interface: Interface, call: CallTexts, name: str) -> list[str]:
    """Declares `name`, which is the original."""
    promise = " noexcept" if interface.is_noexcept else ""
    head = f"{interface.result} {name}({call.parameters}){promise}"
    labelled = f'{head} __asm__(LIFT_SYMBOL("{interface.symbol}"));'
    if not _has_plain_types(interface):
        return [labelled]
    passed = ", ".join(call.original)
    leave = "return " if interface.returns is not None else ""
    return [
        *with_original(interface, "`inline` definition is"),
        f"LIFT_INLINE {head} {{ {leave}{interface.qualified_name}({passed}); }}",
        "#else",
        labelled,
        "#endif",
    ]


def _has_plain_types(interface: Interface) -> bool:
    """Whether all parameters have the types here that the original has."""
    return all(_is_builtin(re.sub(r"\bstd::(vector\b)?", "", p.spelling)) for p in interface.params)


def _is_plain_c(interface: Interface) -> bool:
    """Whether a C file may see the original's prototype as it stands here beside its own.

    A pointer to a structure of numbers is one to those numbers here: another type to C.
    """
    return all(
        p.kind == "scalar" or (p.kind != "vector" and _is_builtin(p.spelling))
        for p in interface.params
    )


def _is_builtin(spelling: str) -> bool:
    words = re.findall(r"[\w&]+", spelling)
    return all(w in _BUILTIN or re.fullmatch(r"\d+|u?int(8|16|32|64)_t", w) for w in words)


def _prototype(interface: Interface, call: CallTexts) -> str:
    """The original's declaration, in its namespaces."""
    *spaces, plain = interface.qualified_name.split("::")
    linkage = 'extern "C" { ' if interface.is_c else ""
    opening = linkage + "".join(f"namespace {space} {{ " for space in spaces)
    closing = " }" * (len(spaces) + bool(linkage))
    promise = " noexcept" if interface.is_noexcept else ""
    return f"{opening}{interface.result} {plain}({call.parameters}){promise};{closing}"


def call_of(interface: Interface) -> CallTexts | None:
    """How the guarded entry calls; None where it would need what is its class's own affair."""
    return _call_with_objects(interface) if interface.takes_objects else _plain_call(interface)


def _plain_call(interface: Interface) -> CallTexts:
    own = parameters(interface, flat=False, references=True)
    is_instance = "<" in interface.qualified_name
    flat, lifted, original = [], [], []
    for parameter in interface.params:
        name = parameter.name
        # An instance's own types are the original's affair: it takes what it wants.
        theirs = is_instance and parameter.kind == "array" and not parameter.is_standard
        original.append(f"lift_pointer{{{name}}}" if theirs else name)
        if parameter.kind == "vector":
            flat += [f"{name}.data()", f"(int64_t){name}.size()"]
            lifted.append(name)
        elif parameter.kind == "reference" and "&" in parameter.spelling:
            flat.append(f"&{name}")
            lifted.append(f"&{name}")
        else:
            passed = _numbers(parameter, name)
            flat.append(passed)
            lifted.append(passed)
    names = [p.name for p in interface.params]
    return CallTexts("" if own == "void" else own, names, flat, lifted, original)


def _numbers(parameter: Parameter, place: str) -> str:
    """A number, or a pointer to what may be none by itself, as the lifted function has it."""
    if parameter.is_standard or parameter.kind not in ("array", "scalar"):
        return place
    if parameter.kind == "scalar":
        return f"({parameter.element}){place}"
    return f"({'const ' if parameter.const else ''}{parameter.element} *){place}"


def _member(parameter: Parameter, place: str) -> str:
    """A member as the lifted function has it: of an array in several dimensions, the first."""
    if parameter.kind == "array":
        return f"({'const ' if parameter.const else ''}{parameter.element} *){place}"
    return _numbers(parameter, place)


def _has_objects_of_c(interface: Interface) -> bool:
    """Whether C can call the original, and what it takes are structures as C has them."""
    return (
        interface.is_c
        and interface.takes_objects
        and not any("&" in p.spelling or p.kind == "vector" for p in interface.params)
        and not any("&" in s.spelling for s in interface.sources)
        and not any(f.record.startswith("std::") for s in interface.sources for f in s.fields)
        and not re.search(r"&|::|<", interface.signature)
    )


def _call_with_objects(interface: Interface) -> CallTexts | None:
    """The call with the original's own parameters, for those who have its classes.

    A method's fields are its class's own affair: it has the flat entry alone.
    """
    if any(s.passing == "this" for s in interface.sources):
        return None
    declared_: list[str] = []
    flat: list[str] = []
    passed: list[str] = []
    followed: list[str] = []
    places: dict[str, str] = {}
    by_name = {p.name: p for p in interface.params}
    in_c = _has_objects_of_c(interface)
    for source in interface.sources:
        passed.append(source.name)
        if source.passing == "plain":
            parameter = by_name[source.name]
            declared_.append(declared(parameter, flat=False, references=True))
            is_reference = parameter.kind == "reference" and "&" in parameter.spelling
            flat.append(f"&{source.name}" if is_reference else _numbers(parameter, source.name))
            continue
        arrow = source.passing == "pointer"
        constant = "const " if source.spelling.startswith("const ") else ""
        record = interface.c_record(source.record) if in_c else source.record
        by_value = "" if in_c else "&"
        declared_.append(f"{constant}{record} {'*' if arrow else by_value}{source.name}")
        if arrow:
            followed.append(source.name)
        for field in source.fields:
            place = f"{source.name}{'->' if arrow else '.'}{field.path}"
            if not field.param:
                followed.append(place)
                continue
            if field.record == "std::array":
                place = f"{place.removesuffix('.')}.data()" if not arrow else f"{place}data()"
            parameter = by_name[field.param]
            if parameter.kind == "vector" or field.is_row_vector:
                return None
            is_reference = "&" in parameter.spelling
            places[field.param] = place
            flat.append(f"&{place}" if is_reference else _member(parameter, place))
    tests = "".join(f"{pointer} && " for pointer in followed)
    return CallTexts(", ".join(declared_), passed, flat, flat, passed, tests, places)


def choice(
    interface: Interface, call: CallTexts, original: str | None = None, on_device: bool = False
) -> list[str]:
    """The body of a guarded entry; `original` names what is called where the proof doesn't hold."""
    name = interface.name
    admitted = f"{call.tests}{name}_admits({', '.join(call.flat)})"
    otherwise = f"{original or interface.qualified_name}({', '.join(call.original)})"
    value = _result(interface, call)
    leave = (
        [f"        return {otherwise};"] if value else [f"        {otherwise};", "        return;"]
    )
    in_copies = (
        [
            f"        if ({call.tests}{name}_in_copies({', '.join(call.flat)}))",
            f"            return{f' {value}' if value else ''};",
        ]
        if interface.copied
        else []
    )
    tried = f"{name}_try({', '.join(call.lifted)})"
    compared = f"{name}_compared({', '.join((*call.names, '&lift_counted'))});"
    return [
        "{",
        "    static lift_counts lift_counted;",
        *(_if_there(interface, call) if on_device else []),
        f"    if (!({admitted})) {{",
        *in_copies,
        *leave,
        "    }",
        "    if (lift_shadow_due(&lift_counted))",
        f"        {'return ' if value else ''}{compared}",
        # It has stored nothing where it fails, for want of memory.
        f"    {'' if value else 'else '}if ({tried} != 0)",
        f"        {'return ' if value else ''}{otherwise};",
        *([f"    return {value};"] if value else []),
        "}",
    ]


def _if_there(interface: Interface, call: CallTexts) -> list[str]:
    """Calls what takes pointers to a device."""
    name = interface.name
    there = f"{name}_guarded_there({', '.join(call.names)})"
    leave = f"return {there};" if _result(interface, call) else f"{{ {there}; return; }}"
    asked = f"{call.tests}{name}_is_there({', '.join(call.flat)})"
    return [f"    if (lift_cuda_is_used() && {asked})", f"        {leave}"]


def _there(interface: Interface, call: CallTexts, original: str | None) -> list[str]:
    """The functions that tell whether pointers lead to a device, and that run such a call."""
    name, value = interface.name, _result(interface, call)
    tables = [p.name for p in interface.params if p.kind == "rows"]
    admitted = f"{call.tests}{name}_admits({', '.join(call.flat)})"
    tried = f"{name}_try({', '.join(call.lifted)})"
    compared = _compared_there(interface, call, original)
    lines = [
        *_is_there(interface),
        *compared,
        f"LIFT_INLINE {interface.result} {name}_guarded({call.parameters or 'void'});",
        "/* With pointers to a device: there, or on copies on the host. */",
        f"LIFT_COLD {interface.result} {name}_guarded_there({call.parameters or 'void'})",
        "{",
    ]
    for table in tables:
        lines += [
            f"    if (lift_cuda_is_on_device({table}))",
            f'        lift_cuda_refuse("{name}_guarded", "a table of rows lies there itself");',
        ]
    if compared:
        both = f"{name}_compared_there({', '.join((*call.names, '&lift_counted'))});"
        lines += [
            "    static lift_counts lift_counted;",
            f"    if ({admitted}) {{",
            "        if (lift_shadow_due(&lift_counted))",
            f"            {f'return {both}' if value else f'{{ {both} return; }}'}",
            f"        if ({tried} == 0)",
            f"            return{f' {value}' if value else ''};",
            "    }",
        ]
    else:
        lines += [
            f"    if ({admitted} && {tried} == 0)",
            f"        return{f' {value}' if value else ''};",
        ]
    if tables or any(map(_is_elsewhere, interface.sources)):
        what = "a table of rows" if tables else "an object behind another one"
        why = f"{what} can't be passed to the original as a copy"
        return [
            *lines,
            f'    lift_cuda_refuse("{name}_guarded", "{why}");',
            *([f"    return {value};"] if value else []),
            "}",
            "",
        ]
    return [*lines, *_on_copies(interface, call, value), "}", ""]


def _compared_there(interface: Interface, call: CallTexts, original: str | None) -> list[str]:
    """The function that runs both, the lifted code on the device and the original on copies; none
    for what has other pointers than parameters."""
    moved = [p for p in interface.params if p.kind in ("array", "reference")]
    others = any(p.kind == "rows" for p in interface.params) or interface.takes_objects
    if others or any(p.kind == "reference" and "&" in p.spelling for p in moved):
        return []
    name, value = interface.name, _result(interface, call)
    otherwise = f"{original or interface.qualified_name}({', '.join(call.original)})"
    there = {p.name: f"lift_there_{p.name}" for p in moved}
    passed = [
        _numbers(p, there[p.name]) if p.name in there else text
        for p, text in zip(interface.params, call.lifted, strict=True)
    ]
    run = f"lift_cuda_bring_again(lift_brought, {name}_try({', '.join(passed)}))"
    pointers = ", ".join(f"(void *)(intptr_t){p.name}" for p in moved)
    lines = []
    for number, parameter in enumerate(moved):
        type = declared(parameter, flat=False, references=True).removesuffix(parameter.name)
        lines += [
            f"    {type}const {there[parameter.name]} = {parameter.name};",
            f"    {parameter.name} = ({type.strip()})lift_pointers[{number}];",
        ]
    own = ", ".join(filter(None, [call.parameters, "lift_counts *lift_counted"]))
    return [
        "/* On the device, and the original on copies on the host. */",
        f"LIFT_COLD {interface.result} {name}_compared_there({own})",
        "{",
        f"    void *lift_pointers[] = {{ {pointers or '0'} }};",
        "    struct lift_cuda_brought *lift_brought __attribute__((cleanup(lift_cuda_return)))",
        f'        = lift_cuda_bring("{name}_guarded", lift_pointers, {len(moved)});',
        *lines,
        *("    " + line for line in _compared(interface, call, otherwise, run, value)),
        "}",
    ]


def _is_elsewhere(source: SourceParam) -> bool:
    """Whether an object's copy isn't all that a call sees of it."""
    return bool(source.given) or any(f.record or "->" in f.path for f in source.fields)


def _on_copies(interface: Interface, call: CallTexts, value: str | None) -> list[str]:
    """Calls the guarded entry with pointers to copies, and copies of objects that have some."""
    name = interface.name
    by_name = {p.name: p for p in interface.params}
    apart = {f.param for s in interface.sources if s.passing != "plain" for f in s.fields}
    pointers: list[str] = []
    passed: dict[str, str] = {}
    for parameter in interface.params:
        if parameter.name in apart or parameter.kind not in ("array", "reference"):
            continue
        place = f"lift_pointers[{len(pointers)}]"
        own = declared(parameter, flat=False, references=True).removesuffix(parameter.name)
        is_reference = own.endswith("&")
        passed[parameter.name] = (
            f"*({own[:-1]}*){place}" if is_reference else f"({own.strip()}){place}"
        )
        pointers.append(f"{'&' if is_reference else ''}{parameter.name}")
    objects = [s for s in interface.sources if s.passing != "plain"]
    first, moved, told, last = [], [], [], []
    for number, source in enumerate(objects):
        own = f"lift_own_{source.name}"
        record = (
            interface.c_record(source.record) if _has_objects_of_c(interface) else source.record
        )
        given = source.name if source.passing == "pointer" else f"&{source.name}"
        first += _copied_object(name, record, source.name, given)
        for other in objects[:number]:
            theirs = other.name if other.passing == "pointer" else f"&{other.name}"
            first += [f"    if ((const void *)({given}) == (const void *)({theirs}))"]
            if other.record == source.record:
                first += [f"        {own} = lift_own_{other.name};"]
            else:
                why = "an object is a part of another one"
                first += [f'        lift_cuda_refuse("{name}_guarded", "{why}");']
        for field in source.fields:
            if field.count == 0 and by_name[field.param].kind == "array":
                place = f"{own}->{field.path}"
                copied = f"lift_pointers[{len(pointers)}]"
                moved.append(f"    memcpy((void *)&{place}, &{copied}, sizeof(void *));")
                pointers.append(place)
        told += [
            f'    lift_cuda_refuse_others("{name}_guarded", {own}, sizeof *{own});',
            f"    memcpy(lift_before_{source.name}, (const void *){own}, sizeof *{own});",
        ]
        if not source.spelling.startswith("const "):
            last.append(
                f"    lift_cuda_put_back((void *)({given}), {own}, "
                f"lift_before_{source.name}, sizeof *{own});"
            )
        passed[source.name] = own if source.passing == "pointer" else f"*{own}"
    called = f"{name}_guarded({', '.join(passed.get(n, n) for n in call.names)})"
    given_pointers = ", ".join(f"(void *)(intptr_t){p}" for p in pointers)
    lines = [
        *first,
        f"    void *lift_pointers[] = {{ {given_pointers or '0'} }};",
        "    struct lift_cuda_brought *lift_brought __attribute__((cleanup(lift_cuda_return)))",
        f'        = lift_cuda_bring("{name}_guarded", lift_pointers, {len(pointers)});',
        *moved,
        *told,
    ]
    if last and value:
        return [*lines, f"    {interface.result} lift_result = {called};", *last,
                "    return lift_result;"]  # fmt: skip
    return [*lines, f"    {'return ' if value else ''}{called};", *last]


def _copied_object(name: str, record: str, source: str, given: str) -> list[str]:
    """Declares `lift_own_SOURCE`, which points to a copy of an object, and room for another one."""
    why = "an object of a class with copies of its own can't be copied"
    return [
        "#ifdef __cplusplus",
        f"    if (!__is_trivially_copyable({record}))",
        f'        lift_cuda_refuse("{name}_guarded", "{why}");',
        f"    alignas({record}) unsigned char lift_memory_{source}[sizeof({record})];",
        f"    {record} *lift_own_{source} = ({record} *)(void *)lift_memory_{source};",
        "#else",
        f"    {record} lift_memory_{source}[1], *lift_own_{source} = lift_memory_{source};",
        "#endif",
        f"    unsigned char lift_before_{source}[sizeof({record})];",
        f"    memcpy(lift_memory_{source}, (const void *)({given}), sizeof({record}));",
    ]


def _is_there(interface: Interface) -> list[str]:
    """Writes the function that tells whether a pointer leads to a device, on flat parameters. What
    is read of tables of rows is what `NAME_admits` reads of them."""
    tables = [p for p in interface.params if p.kind == "rows" and p.name in interface.accesses]
    # A vector's memory is the host's.
    plain = [p.name for p in interface.params if p.kind in ("array", "reference", "rows")]
    tests = Admits(interface)
    if plain:
        tests.lines += [
            f"const void *const lift_pointers[] = {{ {', '.join(plain)} }};",
            f"if (lift_cuda_wants(-1, lift_pointers, {len(plain)}))",
            "    return 1;",
        ]
    if tables:
        tests.before_rows()
    for table in tables:
        name = table.name
        tests.lines += [
            *row_bounds(interface, name),
            f"(void){name}_row_stride, (void){name}_even;",
            f"if ({name}_low <= {name}_high && (lift_cuda_is_on_device({name}[{name}_low])",
            f"        || lift_cuda_is_on_device({name}[{name}_high])))",
            "    return 1;",
        ]
    tests.lines[:0] = given_tests(interface, "\n".join(tests.lines))
    text = "\n".join(tests.lines)
    unused = [f"(void){name};" for name in names_of(interface) if not _mentions(text, name)]
    return [
        "/* Whether one of the pointers leads to a device. */",
        f"static inline int {interface.name}_is_there({parameters(interface, flat=True)})",
        "{",
        *("    " + line for line in (*unused, *tests.lines)),
        "    return 0;",
        "}",
    ]


def compared_function(
    interface: Interface, call: CallTexts, original: str | None = None, own: str | None = None
) -> list[str]:
    """The function that runs both; it is apart, so that other calls pay nothing for it.

    `own` are its parameters where they aren't the call's.
    """
    name = interface.name
    otherwise = f"{original or interface.qualified_name}({', '.join(call.original)})"
    run = f"{name}_try({', '.join(call.lifted)})"
    value = _result(interface, call)
    own = ", ".join(
        filter(None, [call.parameters if own is None else own, "lift_counts *lift_counted"])
    )
    return [
        f"LIFT_COLD {interface.result} {name}_compared({own})",
        "{",
        *("    " + line for line in _compared(interface, call, otherwise, run, value)),
        "}",
        "",
    ]


def _result(interface: Interface, call: CallTexts) -> str | None:
    """What the lifted code stands for returning, as a C expression."""
    if interface.returned is None:
        return None
    by_name = {p.name: p for p in interface.params}
    places = call.places or {}

    def scalar(name: str) -> str:
        """A scalar of the flat entry in the guarded one, which has vectors."""
        stem, _, last = name.rpartition(".")
        if last == "size" and stem in by_name:
            return f"{stem}.size()"
        if last == "given" and stem in by_name:
            return f"({places.get(stem, stem)} != 0)"
        return places.get(name, name)

    return f"({interface.result})({c_expression(interface.returned, scalar)})"


def _compared(
    interface: Interface, call: CallTexts, otherwise: str, run: str, value: str | None
) -> list[str]:
    """A call that runs both; see `shadow_prelude.h`."""
    count = len(interface.outputs) + bool(value)
    places = call.places or {}
    passed = [
        argument_told(p, places.get(p.name, p.name)) for p in interface.params if p.kind == "scalar"
    ]
    lines = [
        f"lift_region lift_regions[{count}];",
        "lift_shadow lift_both;",
        *([f"{interface.result} lift_result = {value};"] if value else []),
        f"const lift_argument lift_given[] = {{ {', '.join(passed) or 'lift_integer(0, 0)'} }};",
        f"{interface.name}_outputs({', '.join(call.flat)}, lift_regions);",
    ]
    if value and interface.returned is not None:
        kind, size = element_kind(interface.returned.type), f"(int)sizeof({interface.result})"
        place = f"\"the result\", &lift_result, 0, '{kind}', {size}"
        lines.append(f"lift_regions[{count - 1}] = lift_region_at({place});")
    told = f'"{shown(interface)}", lift_counted, lift_given, {len(passed)}'
    lines += [
        f"if (!lift_shadow_begin(&lift_both, lift_regions, {count})) {{",
        f"    if ({run} != 0)",
        f"        {'return ' if value else ''}{otherwise};",
        f"    return{f' {value}' if value else ''};",
        "}",
        f"const int lift_failed = {run};",
        "lift_shadow_turn(&lift_both);",
        f"{'lift_result = ' if value else ''}{otherwise};",
        "if (lift_failed)",
        "    lift_both.count = 0;  /* there is nothing to compare */",
        f"lift_shadow_end(&lift_both, {told});",
        *(["return lift_result;"] if value else []),
    ]
    return lines


def shown(interface: Interface) -> str:
    """What a difference calls the function: a text that needs no escapes, in C or in JSON."""
    return re.sub(r"[^\w:<>, ()~*&=+#.-]", "?", interface.qualified_name, flags=re.ASCII)


def argument_told(parameter: Parameter, place: str) -> str:
    """A scalar as a difference tells it."""
    if parameter.type.is_float:
        return f'lift_real("{parameter.name}", (double)({place}))'
    return f'lift_integer("{parameter.name}", (int64_t)({place}))'


def element_kind(type: Type) -> str:
    """How `shadow_prelude.h` calls a number format."""
    return "f" if type.is_float else "i" if type.is_int else "u"


def outputs_function(interface: Interface) -> list[str]:
    """Writes the function that tells the elements of each output, on flat parameters."""
    lines: list[str] = []
    for array in dict.fromkeys(o.view.array for o in interface.outputs if o.view.rows):
        lines += row_bounds(interface, array)
    for number, output in enumerate(interface.outputs):
        lines += _region(interface, number, output)
    lines[:0] = given_tests(interface, "\n".join(lines))
    text = "\n".join(lines)
    unused = [f"(void){name};" for name in names_of(interface) if not _mentions(text, name)]
    flat = parameters(interface, flat=True)
    flat = "" if flat == "void" else f"{flat}, "
    return [
        f"static inline void {interface.name}_outputs({flat}lift_region *lift_regions)",
        "{",
        *("    " + line for line in (*unused, *lines)),
        "}",
        "",
    ]


def _region(interface: Interface, number: int, output: OutputView) -> list[str]:
    view, region = output.view, f"lift_regions[{number}]"
    array = view.array
    size = f"(int)sizeof({interface.parameter(array).memory})"
    base, offset = array, c_expression(view.offset, scalar_name)
    if view.rows:
        empty = f"{array}_low > {array}_high"
        base = f"({empty} ? (const void *)0 : (const void *){array}[{array}_low])"
    kind = element_kind(view.type)
    lines = [f"{region} = lift_region_at(\"{array}\", {base}, {offset}, '{kind}', {size});"]
    boxes = interface.accesses.get(array, ())
    for axis, (stride, (low, end)) in enumerate(zip(view.strides, output.region, strict=True)):
        if len(boxes) == 1 and isinstance(low, Const) and isinstance(end, Const):
            # Where a number says which elements are updated, the region is all that it may say.
            low, last = boxes[0][axis]
            end = normal(Add(last, Const(I64, 1)))
        ends = [c_expression(e, scalar_name) for e in (low, end)]
        is_row = view.rows and axis == len(view.strides) - 1
        if is_row:
            ends = [f"({e}) - {array}_low" for e in ends]
        lines.append(
            f"lift_region_axis(&{region}, {c_expression(stride, scalar_name)}, {', '.join(ends)});"
        )
        if is_row:
            lines.append(f"{region}.low[{axis}] += {array}_low;")
    tests = [] if output.condition is None else [c_expression(output.condition, scalar_name)]
    tests += [array] if interface.parameter(array).may_be_null else []
    for test in tests:
        lines += [f"if (!({test}))", f"    {region}.elements = 0;"]
    return lines


def _mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None
