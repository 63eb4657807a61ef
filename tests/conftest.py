"""How the tests run: which share a process when several run them (`-n 2`), and in what order.

A file's tests stay together, because they share what they compile; so do the files that share the
lifted corpus. What takes longest begins first.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from compiler.codegen.target import Effort
from tests.costly import costly
from tests.planted.copies import COPIES
from tests.planted.devices import DEVICES
from tests.planted.passes import PASSES
from tests.planted.plants import PLANTS
from tests.planted.regions import REGIONS
from tests.sample import complete

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling

SHARED_CORPUS = (
    "tests/end_to_end/test_corpus_list.py",
    "tests/end_to_end/test_corpus_proved.py",
    "tests/end_to_end/test_generators.py",
    "tests/end_to_end/test_lifted_equals_original.py",
    "tests/end_to_end/test_objects_and_templates.py",
    "tests/end_to_end/test_original_is_defined.py",
    "tests/end_to_end/test_reads_stay_inside.py",
    "tests/end_to_end/test_real_halide.py",
    "tests/fuzz/test_guarded.py",
    "tests/verify/test_mutants.py",
    "tests/verify/test_source_mutants.py",
)
"""These import `tests.end_to_end.lifted_corpus`: lifting and building it takes two minutes."""


LONG = ("tests/test_house_style.py", "tests/test_docs.py")
"""Short files with a test that takes longer than most files."""
APART = ("tests/fuzz/test_styles.py",)
"""Long files whose tests share nothing: each goes where there is room."""


FAST_CODE = (
    "tests/codegen/test_aarch64_runs.py::test_objects_need_the_c_library_alone",
    "tests/codegen/test_assembly",
    "tests/codegen/test_contraction.py",
    "tests/codegen/test_loop_hints.py",
    "tests/codegen/test_masks.py",
    "tests/codegen/test_scattered.py",
    "tests/codegen/test_selection.py",
    "tests/codegen/test_streams.py",
    "tests/fuzz/",
)
"""What these test is also what LLVM makes of code. For the others it does little, which takes half
of the time; `--fast-code` has it do all that it does for users."""


def _group(nodeid: str) -> str:
    file = nodeid.split("::")[0]
    if file in APART:
        return nodeid
    return "the lifted corpus" if file in SHARED_CORPUS else file


def _rank(nodeid: str) -> int:
    if nodeid.split("::")[0] in (*SHARED_CORPUS, *LONG):
        return 0
    return 1 if nodeid.startswith(("tests/fuzz/", "tests/end_to_end/")) else 2


def _parameters(item: pytest.Item) -> list[str]:
    """The value of each of a case's parameters."""
    given: dict[str, object] = getattr(item, "callspec").params  # noqa: B009  of functions alone
    return [f"{name} {value!r}" for name, value in given.items()]


@pytest.fixture(autouse=True, scope="session")
def _schedules_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither find nor leave schedules in the user's folder (`compiler.autosched.kept`)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LIFT_SCHEDULES", str(tmp_path_factory.mktemp("schedules")))
        yield


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast-code", action="store_true", help="LLVM optimises in all tests")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    is_slow = item.get_closest_marker("slow") is not None
    is_fast = is_slow or item.nodeid.startswith(FAST_CODE) or item.config.option.fast_code
    Effort.passes, Effort.code = (2, 3) if is_fast else (0, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    if config.option.dist != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _group(nodeid)

    config.option.loadscopereorder = False
    return ByGroup(config, log)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a test that is `sampled` some cases are quick, and the others `slow`: those that show each
    value of each of its parameters, or every so many-th (`sampled(every=8)`), and those that
    find a planted bug. What is listed as `costly` is slow too."""
    finders = {plant.test for plant in (*PLANTS, *PASSES, *REGIONS, *DEVICES, *COPIES)}
    too_costly = costly() - finders
    for item in items:
        if item.nodeid in too_costly:
            item.add_marker(pytest.mark.slow)
    tests: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("sampled") is not None:
            tests.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for cases in tests.values():
        mark = cases[0].get_closest_marker("sampled")
        assert mark is not None
        every = mark.kwargs.get("every")
        quick = cases[::every] if every else complete(cases, _parameters)
        for item in set(cases) - set(quick):
            if item.nodeid not in finders:
                item.add_marker(pytest.mark.slow)
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: _rank(item.nodeid))


def pytest_collection_finish() -> None:
    """What is imported by now stays: the garbage collector needn't look through it again, nor
    through what tests make as often as it does by itself, which takes a fifth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
