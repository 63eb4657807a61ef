"""What `lift verify` says of folders that somebody edited: believed only when it is proved."""

from __future__ import annotations

import os
import re
import shutil

import pytest


def _node(data, old, new):
    """Changes a node of `lifted`."""
    nodes = data["lifted"]["nodes"]
    nodes[nodes.index(old)] = new


def _region(data):
    (summary,) = data["lifted"]["summaries"]
    nodes = data["lifted"]["nodes"]
    nodes += ["Const int64 1", f"Add {summary['roi'][0][2]} {len(nodes)}"]
    summary["roi"][0][2] = len(nodes) - 1


def _everywhere(data, old, new):
    import json

    text = json.dumps(data["entry"])
    assert json.dumps(old) in text
    data["entry"] = json.loads(text.replace(json.dumps(old), json.dumps(new)))


EDITS = {
    "the expression": ("average", lambda d: _node(d, "Const int32 1", "Const int32 0")),
    "the region": ("average", _region),
    "the layout": (
        "lighten",
        lambda d: d["lifted"]["summaries"][0]["layouts"]["dst"]["strides"].reverse(),
    ),
    "a function's body": ("blend", lambda d: _node(d, "Const int32 127", "Const int32 128")),
    "the entry's region": (
        "average",
        lambda d: d["entry"]["outputs"][0]["region"][0].__setitem__(1, ["Add", "n", 1]),
    ),
    "the entry's accesses": ("average", lambda d: d["entry"]["accesses"].clear()),
    "the entry's other boxes": (
        "average", lambda d: d["entry"].update(scans=[], compared={"dst": []})
    ),
    "the entry's stride": ("lighten", lambda d: d["entry"]["images"][0]["strides"].reverse()),
    "the entry's guard": ("lighten", lambda d: d["entry"]["preconditions"].pop(0)),
    "the entry's constness": ("average", lambda d: d["entry"]["params"][1].update(const=False)),
    "a guard's formula": (
        "lighten",
        lambda d: d["entry"]["preconditions"][0].update(formula=["LE", 0, 1]),
    ),
    "the preconditions that people read": ("lighten", lambda d: d["preconditions"].pop()),
    "the definition that people read": (
        "average",
        lambda d: d["stages"][0].update(definition="dst(x) = src(x)"),
    ),
    "the original's symbol": ("average", lambda d: d.update(symbol="abort")),
    "the original's name": ("average", lambda d: d.update(qualified_name="abort")),
    "the roles of parameters": ("average", lambda d: d["params"][0].update(role="in")),
    "all mentions of a precondition": (
        "lighten",
        lambda d: [d["entry"]["preconditions"].pop(0), d["preconditions"].pop(0),
                   d["lifted"]["preconditions"].pop(0)],
    ),
    "a precondition's text alone": (
        "lighten",
        lambda d: [p.update(text="true") for p in d["lifted"]["preconditions"][:1]],
    ),
    "what is lifted away": ("average", lambda d: d["lifted"]["summaries"].clear()),
    "a summary twice": (
        "average",
        lambda d: d["lifted"]["summaries"].append(d["lifted"]["summaries"][0]),
    ),
}  # fmt: skip


@pytest.mark.sampled(every=32)
@pytest.mark.parametrize(
    "forged",
    [False, pytest.param(True, marks=pytest.mark.slow)],
    ids=["as edited", "with a forged seal"],
)
@pytest.mark.parametrize("what", EDITS)
def test_an_edited_summary_is_rejected(project, what, forged):
    """A seal is no signature: `--all` doesn't look at it."""
    name, change = EDITS[what]
    project.only(name)
    project.edit_summary(name, change, seal=forged)
    found = project.verdict(name, *(["--all"] if forged else []))
    assert found["verdict"] in ("not-equal", "gone"), found
    assert found["verdict"] == "gone" or found["proved_again"] == ("asked" if forged else "edited")
    assert found["message"]


def test_an_edited_expression_comes_with_a_counterexample(project):
    project.edit_summary("average", EDITS["the expression"][1])
    status, document = project.verify()
    assert status == 1
    example = next(f for f in document["functions"] if f["name"] == "average")["counterexample"]
    assert example["original"]["values"] != example["candidate"]["values"]


def test_a_precondition_more_is_a_weaker_claim_and_fine(project):
    def more(data):
        nodes = data["lifted"]["nodes"]
        at = len(nodes)
        nodes += ["Const int64 5000", f"LE {nodes.index('Variable int64 n')} {at}"]
        claim = {"text": "n <= 5000", "kind": "formula", "origin": "inferred", "arrays": []}
        data["lifted"]["preconditions"].append({**claim, "formula": at + 1, "tested": None})
        data["entry"]["preconditions"].append({**claim, "formula": ["LE", "n", 5000]})
        data["preconditions"].append("n <= 5000")

    project.edit_summary("average", more)
    found = project.verdict("average")
    assert (found["verdict"], found["proved_again"]) == ("equal", "edited"), found["message"]


def test_preconditions_that_no_call_meets_prove_nothing(project):
    def never(data):
        nodes = data["lifted"]["nodes"]
        at, n = len(nodes), nodes.index("Variable int64 n")
        nodes += ["Const int64 0", f"LT {n} {n}", f"And {at + 1} {at + 1}"]
        claim = {"text": "n < n", "kind": "formula", "origin": "inferred", "arrays": []}
        data["lifted"]["preconditions"].append({**claim, "formula": at + 1, "tested": None})
        data["entry"]["preconditions"].append({**claim, "formula": ["LT", "n", "n"]})
        data["preconditions"].append("n < n")

    project.edit_summary("average", never)
    project.edit("(src[i] + dst[i] + 1) / 2", "7")
    assert project.verdict("average")["verdict"] == "not-equal"


EQUIVALENT = {
    "other words": (
        "hl.u8((hl.i32(src[x]) + dst[x] + 1) / 2)",
        "hl.u8((hl.i32(dst[x]) + hl.i32(src[x]) + 1) >> 1)",
    ),
    "layout and comments": ("    return", "    # the mean\n\n    return"),
    "parentheses": ("dst_out[x] = hl.u8(", "dst_out[x] = (hl.u8)("),
    "a name for a part": ("    dst_out[x] = ", "    t = hl.i32(src[x]) + 0\n    dst_out[x] = "),
}  # fmt: skip


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("what", EQUIVALENT)
def test_an_equivalent_edit_of_the_pipeline_is_accepted(project, what):
    old, new = EQUIVALENT[what]
    project.edit_file("average", "pipeline.py", old, new)
    found = project.verdict("average")
    assert (found["verdict"], found["proved_again"]) == ("equal", "edited"), found["message"]


WRONG = {
    "another constant": ("+ 1) / 2", "+ 2) / 2"),
    "another place": ("src[x])", "src[x + 1])"),
    "an input in place of another": ("hl.i32(src[x])", "hl.i32(dst[x])"),
    "a narrower sum": ("hl.i32(src[x])", "src[x]"),
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_edit_of_the_pipeline_is_refuted(project, what):
    old, new = WRONG[what]
    project.edit_file("average", "pipeline.py", old, new)
    found = project.verdict("average")
    assert found["verdict"] == "not-equal", found
    assert found["counterexample"] is not None
    assert "pipeline.py" in found["message"]


LYING = {
    "a promise": ("    return", "    src.dim(0).set_bounds(0, 4)\n    return"),
    "a stage of the same name": (
        '    dst_out = hl.Func("dst_out")',
        '    dst_out = hl.Func("dst_out")\n    dst_out[x] = dst[x]\n'
        '    dst_out = hl.Func("dst_out")',
    ),
    "an input that isn't returned": (
        '    x = hl.Var("x")',
        '    x = hl.Var("x")\n    y = hl.Param(hl.Int(32), "x")',
    ),
    "outputs in another order": ("[dst, src]", "[src, dst]"),
    "another image": ('"src")', '"source")'),
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("what", LYING)
def test_a_pipeline_that_only_looks_right_is_rejected(project, what):
    old, new = LYING[what]
    project.edit_file("average", "pipeline.py", old, new)
    assert project.verdict("average")["verdict"] == "not-equal"


HOSTILE = {
    "an import": ("from lifter import hl", "import os\nfrom lifter import hl"),
    "a call of the system": ("    return", "    __import__('os').system('touch HERE')\n    return"),
    "a default argument": ("def average():", "def average(x=open('HERE', 'w')):"),
    "a decorator": ("def average():", "@exec\ndef average():"),
    "a comprehension": ("    return", "    [open('HERE', 'w') for _ in '1']\n    return"),
    "an attribute of an attribute": ("hl.Func", "hl.frontend.func.os.mkdir"),
    "an endless power": ("+ 1)", "+ 9 ** 9 ** 9)"),
    "no Python": ("return", "return return"),
}


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_pipeline_is_refused_and_not_run(project, what):
    old, new = HOSTILE[what]
    project.edit_file("average", "pipeline.py", old, new)
    status, document = project.verify()
    found = next(f for f in document["functions"] if f["name"] == "average")
    assert (found["verdict"], status) == ("not-equal", 1), found
    assert "it was not run" in found["message"]
    assert not os.path.exists("HERE")


def test_a_generator_that_was_edited_is_not_vouched_for(project):
    project.edit_file("average", "generator.cpp", "+ 1) / 2", "+ 2) / 2")
    status, document = project.verify()
    found = next(f for f in document["functions"] if f["name"] == "average")
    assert (found["verdict"], status) == ("undecided", 3)
    assert "generator.cpp" in found["message"]


def test_who_commits_no_generator_needs_none(project):
    project.path("average", "generator.cpp").unlink()
    found = project.verdict("average")
    assert (found["verdict"], found["proved_again"]) == ("equal", None)


@pytest.mark.parametrize("file", ["pipeline.py", "generator.cpp"])
def test_a_link_to_another_file_is_not_followed(project, file):
    path = project.path("average", file)
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")
    assert project.verdict("average")["verdict"] in ("not-equal", "undecided")


def test_without_its_pipeline_a_folder_is_nothing(project):
    project.path("average", "pipeline.py").unlink()
    found = project.verdict("average")
    assert (found["verdict"], found["proved_again"]) == ("not-equal", "edited")


def test_line_ends_of_another_system_are_no_edit(project):
    for file in ("pipeline.py", "generator.cpp", "summary.json"):
        path = project.path("average", file)
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert project.verdict("average")["proved_again"] is None


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("end", ["\r", "\v", "\f", "\u2028", "\\\n", " \\ \n"])
def test_a_line_that_becomes_part_of_a_comment_is_an_edit(project, end):
    """What ends a line for Python doesn't for a C++ compiler, or continues it."""
    path = project.path("average", "generator.cpp")
    text = path.read_bytes()
    edited = re.sub(rb"(//[^\n]*)\n+(?=#)", lambda found: found[1] + end.encode(), text, count=1)
    assert edited != text
    path.write_bytes(edited)
    found = project.verdict("average")
    assert found["proved_again"] == "edited" and found["verdict"] != "equal"


def test_another_functions_summary_in_a_folder_is_noticed(project):
    shutil.rmtree(project.path("average").parent)
    shutil.copytree(project.path("blend").parent, project.path("average").parent)
    status, document = project.verify()
    assert status == 2
    broken = [f for f in document["functions"] if f["verdict"] == "unreadable"]
    assert "has the summary of blend" in broken[0]["message"]
    assert [f["name"] for f in document["functions"] if f["verdict"] == "new"] == ["average"]


@pytest.mark.slow
def test_a_function_may_be_named_as_our_own_folders(project):
    source = project.folder / "lib.cpp"
    source.write_text(source.read_text().replace("void average(", "void proof("))
    assert project.lift("lib.cpp", "-o", "again", "--function", "proof", "--no-cache")[0] == 0
    source.write_text(source.read_text().replace("+ 1) / 2", "+ 2) / 2"))
    assert project.lift("verify", "again")[0] == 1


def test_a_second_folder_for_one_function_is_noticed(project):
    shutil.copytree(project.path("blend").parent, project.folder / "lifted" / "other" / "blend")
    status, document = project.verify()
    assert (status, document["totals"]["unreadable"]) == (2, 1)


def test_what_another_version_sealed_is_proved_again(project):
    project.edit_summary("blend", lambda d: d["seal"].update(tool="an older one"), seal=True)
    found = project.verdict("blend")
    assert (found["verdict"], found["proved_again"]) == ("equal", "tool")


def test_a_seal_of_another_source_doesnt_hold(project):
    """The seal of what the function was, put on what it is: the meaning tells them apart."""
    project.edit("(src[i] + dst[i] + 1) / 2", "(src[i] + dst[i]) / 2")
    project.edit_summary("average", lambda d: None, seal=True)
    assert project.verdict("average")["verdict"] == "not-equal"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"name": "average"}', "null", '{"name": "average", "file": "\\u0000"}']
)
def test_a_summary_that_is_none_is_bad_input(project, text):
    project.path("average").write_text(text)
    status, document = project.verify()
    assert status == 2
    assert document["totals"]["unreadable"] == 1


def test_a_merge_conflict_is_bad_input(project):
    text = project.path("average").read_text()
    project.path("average").write_text(text.replace("{", "<<<<<<< HEAD\n{", 1))
    assert project.verify()[0] == 2


BROKEN = {
    "a node that isn't there": lambda d: d["lifted"]["summaries"][0].update(expression=10**6),
    "a node of itself": lambda d: d["lifted"]["nodes"].insert(0, "Add 0 0"),
    "no node": lambda d: d["lifted"]["nodes"].insert(0, "Exec 1"),
    "a type that isn't one": lambda d: d["lifted"]["nodes"].insert(0, "Const int99999999999 1"),
    "numbers for names": lambda d: d["lifted"]["summaries"][0].update(output=5),
    "too many dimensions": lambda d: d["lifted"]["summaries"][0]["roi"].append([0, 1, 2]),
    "a coordinate twice": lambda d: d["lifted"]["summaries"][0]["roi"].append(
        d["lifted"]["summaries"][0]["roi"][0]
    ),
    "another array": lambda d: d["lifted"]["summaries"][0].update(output="src"),
    "no entry": lambda d: d.pop("entry"),
    "a list for the entry": lambda d: d.update(entry=[]),
    "text for what is lifted": lambda d: d.update(lifted="all"),
}


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("what", BROKEN)
def test_broken_data_is_rejected_without_a_crash(project, what):
    project.edit_summary("average", BROKEN[what])
    found = project.verdict("average")
    assert found["verdict"] in ("unreadable", "not-equal", "undecided"), found
    assert "error of lift's own" not in found["message"]


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(
    "flag", ["-fplugin=./x.so", "-Xclang", "@options", "-o", "-MF", "-mllvm", "--config=x"]
)
def test_options_that_say_more_than_how_to_read_a_source_are_refused(project, flag):
    project.edit_summary("average", lambda d: d["flags"]["clang_arguments"].append(flag), True)
    status, document = project.verify()
    found = next(f for f in document["functions"] if f["name"] == "average")
    assert (found["verdict"], status) == ("unreadable", 2)
    assert flag in found["message"]


@pytest.mark.slow
def test_an_edited_update_is_not_vouched_for(project):
    project.edit_file("histogram", "pipeline.py", "+= 1", "+= 2")
    status, document = project.verify()
    found = next(f for f in document["functions"] if f["name"] == "histogram")
    assert (found["verdict"], status) == ("undecided", 3)
    assert "pipeline.py was edited" in found["message"]


def test_a_proof_beyond_its_time_is_undecided(project, monkeypatch):
    monkeypatch.setattr("lifter.checking.run._GRACE", 0.0)
    project.only("average")
    status, document = project.verify("--all", "--timeout", "0.001")
    (found,) = (f for f in document["functions"] if f["verdict"] != "new")
    assert (found["verdict"], status) == ("undecided", 3)
