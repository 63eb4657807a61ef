"""`lift verify --recheck`: what must be shown is shown to a solver of the user's choice."""

from __future__ import annotations

import builtins
import json

import pytest

from lifter.verify.replay import replay
from tests.checking.conftest import NAMES

SOLVERS = ("z3", "cvc5")


def _recheck(project, name, *options):
    project.only(name)
    status, document = project.verify("--recheck", *options)
    return status, {f["name"]: f for f in document["functions"]}[name]


@pytest.mark.slow
@pytest.mark.parametrize("solver", SOLVERS)
def test_every_stored_certificate_is_proved_again(project, solver):
    status, document = project.verify("--recheck", "--solver", solver)
    assert status == 0, document
    assert [f["verdict"] for f in document["functions"]] == ["equal"] * len(NAMES)
    for function in document["functions"]:
        found = function["recheck"]
        assert (found["solver"], found["wrong"], found["unanswered"]) == (solver, [], [])
        assert found["replayed"] > 0 and found["structural"] > 0
        told = json.loads(project.path(function["name"]).read_text())["proof"]
        counted = found["replayed"] + found["structural"] + found["enumerated"]
        assert counted <= told["obligations"]
    assert any(f["recheck"]["enumerated"] for f in document["functions"])


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_stored_certificates_of_a_function_are_proved_again(project, solver):
    status, found = _recheck(project, "blend", "--solver", solver)
    assert (status, found["verdict"]) == (0, "equal")
    replayed = found["recheck"]
    assert (replayed["solver"], replayed["wrong"], replayed["unanswered"]) == (solver, [], [])
    assert min(replayed[k] for k in ("replayed", "structural", "enumerated")) > 0


def test_the_numbers_are_told_to_people(project):
    project.only("blend")
    _, out, _ = project.lift("verify", "lifted", "--recheck", "-j", "2")
    assert "z3 proves" in out and "structural" in out


def _certificate(project, name):
    return sorted(project.path(name).parent.glob("proof/*.smt2"))[0]


def test_an_edited_certificate_is_noticed(project):
    project.only("lighten")
    path = _certificate(project, "lighten")
    path.write_text("(assert false)\n(check-sat)\n")
    assert project.verify()[0] == 0  # certificates are for who asks for them
    status, found = _recheck(project, "lighten")
    assert (found["verdict"], status) == ("equal", 1)
    assert any("was edited" in wrong for wrong in found["recheck"]["wrong"])


def test_a_missing_certificate_is_noticed(project):
    _certificate(project, "lighten").unlink()
    status, found = _recheck(project, "lighten")
    assert status == 1
    assert any("isn't there" in wrong for wrong in found["recheck"]["wrong"])


def test_a_certificate_of_something_else_is_noticed(project):
    """It is true, and even listed under a forged seal, but it isn't what must be shown."""
    path = _certificate(project, "lighten")
    path.write_text(_certificate(project, "histogram").read_text())

    def list_it(data):
        from lifter.batch.sealing import text_digest

        data["files"][f"proof/{path.name}"] = text_digest(path.read_text())

    project.edit_summary("lighten", list_it, seal=True)
    status, found = _recheck(project, "lighten")
    assert status == 1
    assert any("no obligation of the source" in wrong for wrong in found["recheck"]["wrong"])


def test_a_certificate_outside_of_the_folder_is_not_read(project):
    project.edit_summary("lighten", lambda d: d["files"].update({"proof/../../x.smt2": "0"}), True)
    status, found = _recheck(project, "lighten")
    assert status == 1
    assert any("can't be read" in wrong for wrong in found["recheck"]["wrong"])


def test_a_changed_source_is_rechecked_by_its_own_obligations(project):
    project.edit("src[y * stride + x] / 2 + 3", "(src[y * stride + x] >> 1) + 3")
    status, found = _recheck(project, "lighten", "--solver", "cvc5")
    assert (found["verdict"], status, found["recheck"]["wrong"]) == ("changed", 0, [])
    assert found["recheck"]["replayed"] > 0


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_solver_refutes_what_is_false_and_says_what_it_cant_read(solver):
    question = "(set-logic ALL)\n(declare-fun |x'| () Int)\n(assert {})\n(check-sat)\n"
    assert replay(question.format("(< |x'| |x'|)"), solver, 5.0) == ("unsat", "")
    assert replay(question.format("(< |x'| 5)"), solver, 5.0) == ("sat", "")
    answer, why = replay(question.format("(< y 5)"), solver, 5.0)
    assert answer == "error" and why


def test_a_solver_that_isnt_installed_is_named_with_the_way_out(project, monkeypatch):
    found = builtins.__import__

    def without(name, *arguments, **named):
        if name == "cvc5":
            raise ImportError(name)
        return found(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    project.only("blend")
    status, _, err = project.lift("verify", "lifted", "--recheck", "--solver", "cvc5")
    assert status == 2
    assert "lift[recheck]" in err


def test_a_solver_is_for_a_recheck(project):
    assert project.lift("verify", "lifted", "--solver", "cvc5")[0] == 2
