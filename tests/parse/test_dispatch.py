"""The translator is made of functions, which tables find by the kind of cursor."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module

import clang.cindex as ci
import pytest

import lifter.parse
from lifter.parse import dispatch
from lifter.parse.dispatch import DispatchTable

from .parsing import body

TABLES = {name: table for name, table in vars(dispatch).items() if isinstance(table, DispatchTable)}
MOST = 40


def modules() -> list[str]:
    return [f"lifter.parse.{m.name}" for m in pkgutil.iter_modules(lifter.parse.__path__)]


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("name", modules())
def test_no_class_has_many_methods(name: str) -> None:
    module = import_module(name)
    own = [c for c in vars(module).values() if inspect.isclass(c) and c.__module__ == name]
    for found in own:
        methods = [
            m for base in found.__mro__ if base is not object
            for m in vars(base).values() if inspect.isfunction(m) or isinstance(m, property)
        ]  # fmt: skip
        assert len(methods) <= MOST, found


@pytest.mark.parametrize("name", TABLES)
def test_what_is_registered_is_a_kind_of_cursor(name: str) -> None:
    known = {kind.name for kind in ci.CursorKind.get_all_kinds()}
    assert TABLES[name].kinds() <= known


def test_a_kind_is_registered_once() -> None:
    with pytest.raises(AssertionError):
        dispatch.VALUE.of("CALL_EXPR")(lambda t, node: dispatch.value_of(t, node))


def test_a_member_behind_a_moved_pointer() -> None:
    text = """
        struct Pair { long a, b; };
        extern "C" void k(Pair *d, const long *s, int n) {
            for (int i = 0; i < n; i++) d++->b = s[i];
        }
    """
    assert "d[d + 1] = s[int64(i)]" in body(text)
