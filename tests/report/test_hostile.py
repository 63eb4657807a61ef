"""Names and texts of strangers: whatever they hold is text on the page, and can be seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from lifter.bench import Figure
from lifter.model.diagnostic import Diagnostic, Span
from lifter.model.record import ObligationRecord, PreconditionRecord, Record, StageRecord
from lifter.report import Collection, PageEntry
from lifter.report.plain_text import address, anchor, visible

from .made import collection, proved, refuted

HOSTILE = (
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<!-- <b> -->",
    "]]><svg onload=alert(1)>",
    "</noscript></details></pre></ol><h1>gone",
    "javascript:alert(1)",
    "../../../etc/passwd",
    "a\u2028b\u2029c",
    "\u202etxt.cpp\u2066",
    "zero\u200bwidth\ufeff",
    "bad \udcff bytes \ud800",
    "nul \x00 bell \x07 escape \x1b[31m",
    "&lt;i class=k&gt; {{ 7 * 7 }} {% raw %}",
    "new\nline\r\nand\ttab",
    "`code` and `more",
    "x" * 5000,
    "",
)


def stuffed(text: str) -> Collection:
    """A collection with `text` in every place that a stranger decides."""
    span = Span(text, 40, 1, 40, 3)
    note = Diagnostic("overlap", "warning", text, span, (text,), text)
    base = refuted()
    data = dict(base.counterexample_data or {})
    data["scalars"] = {text: 3}
    table = {**data["original"], "name": text, "coordinates": [text]}
    data |= {"inputs": [table], "original": table}
    record = replace(
        base,
        name=text,
        file=text,
        signature=text,
        params=({"name": text, "type": text, "role": "in"},),
        diagnostic=Diagnostic(text, "error", text, span, (text, text + "\n" + text), text),
        warnings=(note,),
        preconditions=(PreconditionRecord(text, "formula", text),),
        stages=(StageRecord(text, text, text, ((text, text),), (text,), text),),
        obligations=(
            ObligationRecord(text, text, text, "proved", text, 1.0),
            ObligationRecord(text, text, text, text, text, 1.0),
        ),
        counterexample_data=data,
        folder=text,
        files=(text,),
        source=text,
    )
    figure = Figure(text, text, False, 3, 1.0, 2.0, 0.5, text)
    made = collection(proved())
    return Collection((*made.entries, PageEntry(record, text, figure)), made.figures, (text,))


def skeleton(elements):
    """How often each element is there with which attributes."""
    return Counter(
        (tag, *sorted(attributes)) for tag, attributes in elements if tag not in ("i", "code")
    )


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t)[1:30])
def test_a_hostile_text_makes_no_element_and_no_attribute(parsed, text):
    found = parsed(stuffed(text))
    assert found.stray == []
    assert found.unclosed == []
    harmless = ("plain", "two\nlines", "`a`", "")
    known = {key for tame in harmless for key in skeleton(parsed(stuffed(tame)).elements)}
    assert set(skeleton(found.elements)) <= known
    assert found.tags.count("script") == 1


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t)[1:30])
def test_links_lead_into_the_page_or_below_it(parsed, text):
    for href in parsed(stuffed(text)).values("href"):
        assert href.startswith(("#", "./"))


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t)[1:30])
def test_what_cannot_be_seen_is_spelled_out(parsed, text):
    source = parsed(stuffed(text)).source
    source.encode("utf-8")
    assert not set("\u2028\u2029\u202e\u2066\u200b\ufeff\x00\x07\x1b\r") & set(source)


def test_the_check_for_elements_would_find_one(parsed):
    found = parsed(stuffed("plain"))
    planted = type(found)(found.source.replace("<h4>", "<h4><b onclick=x>", 1))
    assert not set(skeleton(planted.elements)) <= set(skeleton(found.elements))


def test_a_turned_name_is_readable():
    assert visible("\u202eppc.a") == "⟨U+202E⟩ppc.a"
    assert visible("a\udcff") == "a⟨U+DCFF⟩"
    assert visible("tab\tand é, 図 stay\n") == "tab\tand é, 図 stay\n"


def test_addresses_have_no_scheme_and_no_spaces():
    assert address("javascript:alert(1)", "a b") == "./javascript%3Aalert%281%29/a%20b"
    assert address("/etc", "x") == "./etc/x"
    assert address("caf\udce9", "x") == "./caf%E9/x"


def test_different_names_have_different_ids():
    names = [*HOSTILE, "a b", "a%20b", "a+b", "a:b"]
    assert len({anchor("file", name) for name in names}) == len(set(names))
    assert anchor("a", "b:c") != anchor("a:b", "c")


def test_an_excerpt_survives_places_outside_of_the_text(parsed):
    for line, column, end in ((40, 900, 901), (39, 1, 2), (99, 1, 2), (43, 0, 0), (41, 5, 3)):
        record: Record = refuted()
        wild = Diagnostic("refuted", "error", "odd", Span(record.file, line, column, line, end))
        assert "odd" in parsed(collection(replace(record, diagnostic=wild))).text
