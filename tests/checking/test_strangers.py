"""Folders in which `lift verify` and those who use them would read different things."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import quote

import pytest

from lifter.commands.building import lifted_folders


def _renamed(data, old, new):
    """Gives the parameter another name wherever the summary tells of it."""

    def visit(part):
        if isinstance(part, list):
            return [visit(item) for item in part]
        if isinstance(part, dict):
            return {new if key == old else key: visit(value) for key, value in part.items()}
        return new if part == old else part

    for key in ("entry", "params", "stages"):
        data[key] = visit(data[key])
    lifted = data["lifted"]
    words = [node.split(" ") for node in lifted["nodes"]]
    lifted["nodes"] = [" ".join(quote(new) if w == old else w for w in node) for node in words]
    lifted["summaries"] = visit(lifted["summaries"])


@pytest.fixture
def average(project):
    project.only("average")
    return project


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("name", ["n = 5", "n/**/", "n, int m", "n\n", "\u043d"])
def test_a_parameter_has_no_name_that_says_more_in_a_header(average, name):
    average.edit_summary("average", lambda d: _renamed(d, "n", name))
    assert average.verdict("average")["verdict"] == "not-equal"


def test_a_parameter_may_have_another_plain_name(average):
    average.edit_summary("average", lambda d: _renamed(d, "n", "count"))
    assert average.verdict("average")["verdict"] == "equal"


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("before", ["", "#\x0c\x0c\n", "\t \x0c", "# vim: set file"])
def test_no_encoding_hides_statements_in_comments(average, before):
    place = average.path("average", "pipeline.py")
    text = place.read_text()
    assert "    return [" in text
    hidden = "    # \\u000a    dst[x] = hl.u8(0)\n    return ["
    head = f"{before}# coding: raw_unicode_escape\n"
    place.write_text(head + text.replace("    return [", hidden))
    found = average.verdict("average")
    assert found["verdict"] == "not-equal"
    assert "encoding" in found["message"]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("line", ["# -*- coding: utf-8 -*-", "# coding: utf-8", "# decoding"])
def test_the_encoding_that_it_has_may_be_named(average, line):
    place = average.path("average", "pipeline.py")
    place.write_text(f"{line}\n" + place.read_text())
    assert average.verdict("average")["verdict"] == "equal"


@pytest.mark.parametrize("hidden", [".lift-cache", ".git"])
def test_nothing_is_built_that_was_not_looked_at(average, hidden):
    here = average.path("average").parent
    shutil.copytree(here, Path("lifted", hidden, "inner", "average"))
    assert lifted_folders(Path("lifted")) == [here.relative_to(Path.cwd())]


def test_what_was_looked_at_is_built(average):
    here = average.path("average").parent
    shutil.copytree(here, Path("lifted", "more", "average"))
    assert len(lifted_folders(Path("lifted"))) == 2
    found = average.verify()[1]["functions"]
    assert "unreadable" in {f["verdict"] for f in found if f["name"] == "average"}
