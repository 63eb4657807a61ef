"""What functions are called: in C++, to call the original, and in a lifted library, as one word."""

from __future__ import annotations

import re
from typing import Any

from .syntax import library

_OPERATORS = {
    "operator()": "call", "operator[]": "at", "operator+": "plus", "operator-": "minus",
    "operator*": "times", "operator/": "divided", "operator+=": "add", "operator-=": "subtract",
    "operator*=": "multiply", "operator/=": "divide", "operator&": "and", "operator|": "or",
    "operator^": "xor", "operator=": "assign", "operator==": "equals", "operator<": "less",
    "operator&=": "intersect", "operator|=": "unite", "operator<<": "left", "operator>>": "right",
    "operator%": "remainder", "operator~": "complement", "operator!": "not", "operator&&": "both",
    "operator||": "either", "operator++": "increment", "operator--": "decrement",
    "operator!=": "differs", "operator<=": "at_most", "operator>": "greater",
    "operator>=": "at_least", "operator,": "then", "operator->": "target", "operator%=": "reduce",
    "operator^=": "toggle", "operator<<=": "shift_left", "operator>>=": "shift_right",
    "operator->*": "member",
}  # fmt: skip
_RECORDS = frozenset({"CLASS_DECL", "STRUCT_DECL", "UNION_DECL"})


def template_of(cursor: Any) -> Any:
    """The template whose instance or specialization a declaration is, or None."""
    found = library().clang_getSpecializedCursorTemplate(cursor)
    return None if found is None or found.kind.is_invalid() else found


def instance_test(cursor: Any, text: tuple[str, int]) -> str | None:
    """What is true in this instance of a template alone, as C++ within its text, which begins at a
    file's offset; None where there is no such test.

    Names that lead elsewhere give another type, or none: where it is true, it is this instance.
    """
    if cursor.kind.name == "CXX_METHOD":
        around, pattern = cursor.semantic_parent, template_of(cursor)
        is_own = pattern is not None and pattern.kind.name == "FUNCTION_TEMPLATE"
        if is_own or cursor.is_static_method() or around is None:
            return None
        type = _spelled(around.type)
        return None if type is None else f"__is_same(const __typeof__(*this), const ::{type})"
    template = template_of(cursor)
    if cursor.kind.name != "FUNCTION_DECL" or template is None:
        return None
    if cursor.semantic_parent is None or cursor.semantic_parent.kind.name in _RECORDS:
        return None
    # Another declaration of the template may have other names.
    template = template.get_definition() or template
    extent = template.extent
    place = str(extent.start.file), int(extent.start.offset)
    if place[0] != text[0] or not place[1] <= text[1] < int(extent.end.offset):
        return None
    declared = [
        c
        for c in template.get_children()
        if c.kind.name.startswith("TEMPLATE_") and c.kind.name.endswith("_PARAMETER")
    ]
    arguments = _arguments(cursor)
    if not arguments or len(arguments) != len(declared):
        return None
    tests = []
    for number, (parameter, value) in enumerate(zip(declared, arguments, strict=True)):
        if not parameter.spelling:
            return None
        if parameter.kind.name == "TEMPLATE_TYPE_PARAMETER":
            told = _spelled(cursor.get_template_argument_type(number))
            if told is None:
                return None
            tests.append(f"__is_same({parameter.spelling}, {told})")
        elif parameter.kind.name == "TEMPLATE_NON_TYPE_PARAMETER":
            if re.search(r"\bauto\b", str(parameter.type.spelling)):
                return None  # 3 and 3L are arguments of two instances
            tests.append(f"({parameter.spelling}) == ({value})")
        else:
            return None
    return " && ".join(tests)


def _spelled(type: Any) -> str | None:
    """A type as text that means it anywhere; None where it has no name."""
    text = _visible(type.get_canonical().spelling)
    return None if re.search(r"\((lambda|unnamed|anonymous)|type-parameter", text) else text


def flat_name(cursor: Any) -> str:
    """One word for a function: `blend`, `blend_Multiply_uint8`, `Image_invert`."""
    name = str(cursor.spelling)
    # A literal's operator is called by its suffix.
    name = _OPERATORS.get(name, name).removeprefix('operator""').lstrip()
    words = [re.sub(r"<.*", "", name).replace("~", "destroy_")]
    parent = cursor.semantic_parent
    if cursor.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION") and parent is not None:
        words.insert(0, _class_word(parent.type) or str(parent.spelling))
    arguments = _arguments(cursor)
    words += [_word(a) for a in arguments or ()]
    is_method = cursor.kind.name == "CXX_METHOD" and template_of(cursor) is not None
    if is_method or arguments is None:
        # libclang doesn't tell a method's own template arguments; its parameters' types differ.
        types = [c.type.get_canonical().spelling for c in cursor.get_arguments()]
        words += dict.fromkeys(_word(t.removeprefix("const ").rstrip(" &*")) for t in types)
    return re.sub(r"[\W_]+", "_", "_".join(words)).strip("_") if len(words) > 1 else words[0]


def qualified_name(cursor: Any) -> str:
    """The function as C++ text of its own file may name it, template arguments included.

    Unnamed namespaces are left out, as name lookup leaves them out.
    """
    name = str(cursor.spelling)
    arguments = _arguments(cursor)
    if arguments is None or arguments:
        name += f"<{', '.join(arguments or ())}>"  # what isn't said is deduced
    parent = cursor.semantic_parent
    if parent is not None and parent.kind.name in _RECORDS:
        return f"{_visible(parent.type.spelling)}::{name}"
    while parent is not None and parent.kind.name in ("NAMESPACE", "LINKAGE_SPEC"):
        if parent.spelling and parent.kind.name == "NAMESPACE":
            name = f"{parent.spelling}::{name}"
        parent = parent.semantic_parent
    return name


def linker_name(cursor: Any) -> str:
    """What a linker calls a function: its own name under `extern "C"`, none for a `static` one."""
    return str(cursor.mangled_name) if cursor.linkage.name == "EXTERNAL" else ""


def _arguments(cursor: Any) -> list[str] | None:
    """The template arguments of a function, as C++ text; None where libclang doesn't tell them
    (packs, templates, functions)."""
    count = cursor.get_num_template_arguments() if cursor.kind.name == "FUNCTION_DECL" else 0
    if count <= 0:
        return []
    template = template_of(cursor)
    declared = [
        c
        for c in (template.get_children() if template is not None else ())
        if c.kind.name.startswith("TEMPLATE_") and c.kind.name.endswith("_PARAMETER")
    ]
    found: list[str] = []
    for number in range(count):
        try:
            kind = cursor.get_template_argument_kind(number).name
        except ValueError:  # the binding knows no packs
            return None
        if kind == "TYPE":
            found.append(_visible(cursor.get_template_argument_type(number).spelling))
        elif kind == "INTEGRAL":
            value = str(cursor.get_template_argument_value(number))
            type = declared[number].type if number < len(declared) else None
            found.append(_constant(int(value), type))
        else:
            return None
    return found


def _constant(value: int, type: Any) -> str:
    """A value argument in C++; `type` is that of the template's parameter."""
    type = None if type is None else type.get_canonical()
    if type is not None and type.kind.name == "BOOL":
        return "true" if value else "false"
    if type is not None and type.kind.name == "ENUM":
        declaration = type.get_declaration()
        name = _visible(type.spelling)
        for child in declaration.get_children():
            if child.kind.name == "ENUM_CONSTANT_DECL" and child.enum_value == value:
                scope = name if declaration.is_scoped_enum() else name.rpartition("::")[0]
                return f"{scope}::{child.spelling}" if scope else str(child.spelling)
        return f"({name}){value}"
    return str(value)


def _visible(spelling: str) -> str:
    return spelling.replace("(anonymous namespace)::", "")


def _class_word(type: Any) -> str:
    return _word(type.get_canonical().spelling)


def _word(argument: str) -> str:
    """A class or a template argument as part of a name: `ns::Shift<unsigned char, 2>` gives
    `Shift_uint8_2`."""
    head, _, inner = argument.partition("<")
    known = _NUMBERS.get(head.strip())
    words = [known or _last(re.sub(r"\(.*\)", "", head)).replace("-", "minus_")]
    depth, current = 0, ""
    for character in inner.rpartition(">")[0] + "," if inner else "":
        depth += {"<": 1, ">": -1}.get(character, 0)
        if character == "," and depth == 0:
            words.append(_word(current.strip()))
            current = ""
        else:
            current += character
    return "_".join(words)


_NUMBERS = {
    "unsigned char": "uint8", "signed char": "int8", "char": "int8", "short": "int16",
    "unsigned short": "uint16", "int": "int32", "unsigned int": "uint32", "long": "int64",
    "uint8_t": "uint8", "uint16_t": "uint16", "uint32_t": "uint32", "uint64_t": "uint64",
    "int8_t": "int8", "int16_t": "int16", "int32_t": "int32", "int64_t": "int64",
    "unsigned long": "uint64", "float": "float32", "double": "float64", "bool": "bool",
}  # fmt: skip


def _last(spelling: str) -> str:
    return re.sub(r"\W+", "_", spelling.rpartition("::")[2])
