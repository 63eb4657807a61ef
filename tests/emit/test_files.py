"""What stands on the disk after emission, and what doesn't when something goes wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.ir import EQ, I32, I64, Add, Const, Max, Mod, Select, Sub, Variable
from lifter.emit import emit, function_folder, record_of
from lifter.emit.expression_json import expression_from_json, expression_to_json
from lifter.model.diagnostic import LiftError
from lifter.model.proof import Obligation, Proof
from lifter.model.record import Record, StageRecord

from . import samples


def test_all_files_of_a_function(tmp_path: Path) -> None:
    result = samples.multiply()
    assert result.proof is not None
    query = Obligation("value", "dst", "equal", "proved", "z3", 0.1, "(check-sat)\n")
    proof = replace(result.proof, obligations=(*result.proof.obligations, query))
    result = replace(result, proof=proof)
    folder = function_folder(result, tmp_path)
    made = emit(result, folder)
    assert folder == tmp_path / "sample" / "MultiplyBlend8"
    assert set(made.files) == {
        "pipeline.py", "generator.cpp", "summary.json", "proof/02-value-dst.smt2",
    }  # fmt: skip
    assert (folder / "proof/02-value-dst.smt2").read_text() == "(check-sat)\n"
    assert [p.name for p in folder.parent.iterdir()] == ["MultiplyBlend8"]


def test_the_summary_follows_the_schema(tmp_path: Path) -> None:
    result = samples.multiply()
    emit(result, tmp_path / "out")
    found = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert found["params"] == [
        {"name": "dst", "type": "uint8_t *", "role": "inout"},
        {"name": "src", "type": "const uint8_t *", "role": "in"},
        {"name": "rows", "type": "int", "role": "scalar"},
        {"name": "cols", "type": "int", "role": "scalar"},
        {"name": "rowBytes", "type": "int", "role": "scalar"},
    ]
    assert found["stages"] == [
        {
            "output": "dst",
            "roi": [["0", "cols"], ["0", "rows"]],
            "terminals": [],
            "definition": "dst(x, y) = Mul8x8Div255(dst(x, y), src(x, y))",
            "kind": "pure",
        }
    ]
    assert found["preconditions"] == ["cols <= rowBytes", "dst and src do not overlap"]
    assert found["proof"] == {"obligations": 1, "by": {"structural": 1, "z3": 0, "complete": 0}}
    assert found["status"] == "proved" and found["code"] is None
    assert len(found["source_sha256"]) == 64
    assert set(record_of(result).entry()) < set(found)


def test_reports_show_reductions(tmp_path: Path) -> None:
    stages = record_of(samples.box_sum()).entry()["stages"]
    assert stages[0]["definition"] == "sums(x, y) = sum(r, i32(src(x + r.x, y + r.y)))"
    counted = record_of(samples.histogram()).entry()["stages"][1]
    assert counted["definition"] == "hist(src(rx, ry)) = hist(src(rx, ry)) + 1"
    assert counted["domain"] == [["rx", "0", "cols"], ["ry", "0", "rows"]]


def test_records_come_back_from_the_store_and_from_summaries() -> None:
    record = record_of(samples.histogram())
    stored = json.loads(json.dumps(record.to_json()))
    assert Record.from_json(stored) == record
    for stage in record.stages:
        told = StageRecord.from_entry(json.loads(json.dumps(stage.entry())))
        assert told == replace(stage, name=stage.output)
    for stage in stored["stages"]:
        del stage["domain"]  # as stores of before have it
    assert Record.from_json(stored).stages[1].domain == ()


def test_a_second_run_replaces_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    emit(samples.multiply(), folder)
    (folder / "left_over.txt").write_text("old")
    emit(samples.opacity(), folder)
    assert "normal_opacity_u8" in (folder / "pipeline.py").read_text()
    assert not (folder / "left_over.txt").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_failure_leaves_the_old_files_and_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    emit(samples.multiply(), folder)
    before = (folder / "pipeline.py").read_text()

    def full_disk(self: Path, *arguments: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full_disk)
    with pytest.raises(OSError, match="No space"):
        emit(samples.opacity(), folder)
    monkeypatch.undo()
    assert (folder / "pipeline.py").read_text() == before
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_stages_that_fill_different_regions_are_refused_with_their_name() -> None:
    result = samples.multiply()
    first = result.summaries[0]
    roi = (replace(first.roi[0], upper=Const(I64, 3)), first.roi[1])
    twice = replace(result, summaries=(first, replace(first, stage="dst.2", roi=roi)))
    with pytest.raises(LiftError, match="different regions") as caught:
        emit(twice, Path("/nonexistent/never/written"))
    assert caught.value.diagnostic.code == "emit-unsupported"
    assert caught.value.diagnostic.notes == ("stage dst.2",)


def test_an_unproved_function_says_so_in_its_first_lines(tmp_path: Path) -> None:
    result = samples.box3()
    open_question = Obligation("value", "dst", "all pixels are equal", "undecided", None, 9.0)
    proof = Proof("unproved", (open_question,), ())
    emit(replace(result, status="unproved", proof=proof), tmp_path / "out")
    assert "NOT PROVED: all pixels are equal." in (tmp_path / "out" / "pipeline.py").read_text()


def test_expressions_survive_json() -> None:
    n, mode = Variable("n", I64), Variable("mode", I32)
    e = Select(
        EQ(mode, Const(I32, -3)), Max(Sub(n, Const(I64, 2)), Const(I64, 0)), Mod(Add(n, n), n)
    )
    assert expression_from_json(json.loads(json.dumps(expression_to_json(e)))) is e


@pytest.mark.parametrize("data", [["Load", "a", 1], ["Variable", 3], {"x": 1}, None, ["Add", 1]])
def test_json_that_is_no_expression_is_refused(data: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        expression_from_json(data)
