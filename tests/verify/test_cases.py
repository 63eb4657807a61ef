"""Cases: small inputs that keep the preconditions and come back from their seed."""

from __future__ import annotations

from itertools import islice

from compiler.ir import F32, GE, I32, I64, LE, U8, U16, And, Expr, Type, Variable, const
from lifter.model.diagnostic import Span
from lifter.model.kernel import Array, Assume, Kernel, Param, ParamKind
from lifter.verify.cases import Case, cases, run_case

HERE = Span("kernel.cpp", 1, 1, 1, 2)


def param(name: str, type: Type, kind: ParamKind = "scalar") -> Param:
    return Param(name, kind, type, str(type), False, HERE)


def kernel(*params: Param, preconditions: tuple[Expr, ...] = ()) -> Kernel:
    return Kernel(
        name="kernel",
        qualified_name="kernel",
        span=HERE,
        signature="void ()",
        params=params,
        return_type=None,
        arrays={p.name: Array(p.name, p.type) for p in params if p.kind != "scalar"},
        functions={},
        preconditions=tuple(Assume(HERE, e, repr(e)) for e in preconditions),
        body=(),
    )


IMAGE = (
    param("dst", U8, "array"),
    param("rows", I32),
    param("cols", I32),
    param("rowBytes", I32),
)
COLS, ROW_BYTES = Variable("cols", I32), Variable("rowBytes", I32)


def drawn(subject: Kernel, count: int = 60, *assumptions: Expr) -> list[Case]:
    return list(cases(subject, 7, count, assumptions))


def test_sizes_cover_the_awkward_ones() -> None:
    found = drawn(kernel(*IMAGE))
    sizes = {(c.scalars["cols"], c.scalars["rows"]) for c in found}
    assert {(0, 0), (1, 1), (1, 3), (5, 4), (0, 3), (3, 0)} <= sizes
    assert any(cols % 8 and cols > 16 for cols, _ in sizes)
    assert len(found) == 60


def test_strides_equal_exceed_and_now_and_then_undercut_the_width() -> None:
    gaps = {c.scalars["rowBytes"] - c.scalars["cols"] for c in drawn(kernel(*IMAGE))}
    assert 0 in gaps and max(gaps) > 0 and min(gaps) < 0


def test_preconditions_and_given_assumptions_hold_in_every_case() -> None:
    subject = kernel(*IMAGE, preconditions=(LE(COLS, ROW_BYTES),))
    found = drawn(subject, 60, GE(COLS, const(2)))
    assert len(found) == 60
    assert all(2 <= c.scalars["cols"] <= c.scalars["rowBytes"] for c in found)


def test_a_precondition_that_cannot_hold_gives_no_case() -> None:
    impossible = And(LE(COLS, const(-50)), GE(COLS, const(50)))
    assert drawn(kernel(*IMAGE), 3, impossible) == []


def test_the_same_seed_gives_the_same_cases_and_another_seed_others() -> None:
    subject = kernel(*IMAGE, param("amount", I32), param("mode", I32))
    one, again = list(cases(subject, 3, 20)), list(cases(subject, 3, 20))
    other = list(cases(subject, 4, 20))
    assert [str(c) for c in one] == [str(c) for c in again]
    assert [str(c) for c in one] != [str(c) for c in other]
    assert "seed 3, case 0: rows=" in str(one[0])


def test_contents_do_not_depend_on_the_order_of_reads() -> None:
    case = next(c for c in cases(kernel(*IMAGE), 1, 20) if c.patterns["dst"] == "random")
    forwards, backwards = case.memories()["dst"], case.memories()["dst"]
    a = [forwards.peek((i,)) for i in range(-20, 20)]
    b = [backwards.peek((i,)) for i in reversed(range(-20, 20))]
    assert a == b[::-1]
    assert len(set(a)) > 20


def test_patterns_reach_the_ends_of_the_type() -> None:
    subject = kernel(param("p", U16, "array"), param("f", F32, "array"))
    reached: dict[str, set[object]] = {"p": set(), "f": set()}
    for case in cases(subject, 5, 40):
        for name, memory in case.memories().items():
            reached[name].update(memory.peek((i,)) for i in range(16))
    assert {0, 1, 65535, 65534, 32767, 32768} <= reached["p"]
    assert {0.0, 1.0, 0.5, -1.0} <= reached["f"]


def test_vectors_come_with_their_size_and_references_with_one_element() -> None:
    subject = kernel(param("v", U8, "vector"), param("total", I64, "reference"))
    for case in islice(cases(subject, 0, 30), 30):
        memories = case.memories()
        assert memories["v"].size == case.scalars["v.size"]
        assert memories["total"].size == 1


def test_unsigned_scalars_stay_in_their_type() -> None:
    subject = kernel(param("stride", U8), param("amount", U8))
    for case in cases(subject, 0, 60):
        assert all(U8.contains(int(v)) for v in case.scalars.values())


def test_running_a_case_leaves_it_as_it_was() -> None:
    subject = kernel(*IMAGE)
    case = next(cases(subject, 0, 1))
    outcome = run_case(subject, case)
    assert outcome.stopped is None and outcome.arrays["dst"].touched() == set()
