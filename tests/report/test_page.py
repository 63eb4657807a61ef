"""The page as HTML: whole, linked, and asking for nothing."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from urllib.parse import unquote

import pytest

from lifter.model.codes import all_codes
from lifter.report import page

from .made import PROGRAM, SOURCE, collection, one_of_each, proved, refuted, skipped


def test_every_element_is_closed_and_every_id_is_there_once(parsed):
    found = parsed(one_of_each())
    assert found.stray == []
    assert found.unclosed == []
    ids = found.values("id")
    assert len(ids) == len(set(ids)) > 20


def test_every_link_inside_the_page_leads_somewhere(parsed):
    found = parsed(one_of_each())
    ids = set(found.values("id"))
    inside = [href[1:] for href in found.values("href") if href.startswith("#")]
    assert len(inside) > 10
    assert [target for target in inside if target not in ids] == []


def test_nothing_comes_from_elsewhere(parsed):
    found = parsed(one_of_each())
    assert not {"link", "img", "iframe", "object", "embed", "base"} & set(found.tags)
    assert found.values("src") == []
    for href in found.values("href"):
        assert href.startswith(("#", "./"))
    style = re.search(r"<style>(.*?)</style>", found.source, re.DOTALL)
    assert style and "url(" not in style[1] and "@import" not in style[1]


def test_the_policy_allows_this_style_and_this_script_and_nothing_else(parsed):
    found = parsed(one_of_each())
    (policy,) = [
        attributes["content"]
        for tag, attributes in found.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None and policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        text = re.findall(rf"<{tag}>(.*?)</{tag}>", found.source, re.DOTALL)
        assert len(text) == 1
        digest = base64.b64encode(hashlib.sha256(text[0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert found.values("style") == []  # the policy would ignore such attributes


def test_a_proved_function_shows_all_that_is_known(parsed):
    text = parsed(collection(proved())).text
    for line in (*SOURCE.splitlines(), *PROGRAM.splitlines()):
        assert line in text
    assert "n < 4096from an assert in the source" in text
    assert "1 by structure" in text and "1 by Z3" in text and "1 by all inputs" in text
    assert "coverage  0 <= i0 < n  0.012 s" in text
    assert "dst(x) = u8(255 - src(x)) over n" in text
    assert "coverage 1exactly the elements of the region are written" in text
    assert "n + 1 may overflow" in text
    assert "3.5×" in text and "original 7 ms, lifted 2 ms" in text and "equal on 24 images" in text
    assert "proof 0.50 s" in text


def test_a_failed_function_tells_its_place_what_the_code_means_and_the_ways_out(parsed):
    found = parsed(collection(refuted()))
    text = found.text
    assert "the summary isn't dst" in text
    assert "look at it" in text
    code = all_codes()["refuted"]
    for told in (code.meaning, *code.ways_out):
        assert told.replace("`", "") in text
    assert "lift explain src/a.cpp:smear -o" in text
    marked = re.search(r'<pre class="excerpt".*?</pre>', found.source)
    assert marked
    assert marked[0].endswith("<span>43</span><mark>dst[x]</mark> = 255 - src[x];</pre>")
    assert "Best candidate" in text


def test_a_counterexample_is_tables_that_mark_what_differs(parsed):
    found = parsed(collection(refuted()))
    assert "n = 3" in found.text
    marks = [a for tag, a in found.elements if tag == "td" and a.get("class") == "differs"]
    assert len(marks) == 2  # what the original leaves, and what the candidate does
    assert "1 element of dst differs." in found.text


def test_a_counterexample_without_tables_is_shown_as_text(parsed):
    record = replace(refuted(), counterexample_data={"odd": 1}, counterexample="n = 3, dst[1] = 8")
    assert "n = 3, dst[1] = 8" in parsed(collection(record)).text


def test_totals_count_every_status(parsed):
    found = parsed(one_of_each())
    for status in ("proved", "unproved", "failed", "skipped"):
        at = found.source.index(f'data-status="{status}"')
        assert found.source[at:].startswith(f'data-status="{status}"><b>1</b>')
    assert "1 of 4 proved" in found.text


def test_a_skipped_function_is_listed_but_stands_in_nobodys_way(parsed):
    found = parsed(collection(proved(), skipped()))
    assert "it has no array" in found.text
    assert "What stands in the way" not in found.text


def test_lines_have_addresses_and_obligations_link_to_them(parsed):
    found = parsed(collection(proved(line=10)))
    assert {"src/a.cpp:10", "src/a.cpp:14", "src/a.cpp:invert"} <= set(found.values("id"))
    assert found.values("href").count("#src/a.cpp:13") == 2


def test_instances_of_a_template_have_lines_of_their_own(parsed):
    found = parsed(collection(proved("blend"), proved("blend_2")))
    assert {"src/a.cpp:12", "src/a.cpp:blend_2:12"} <= set(found.values("id"))


def test_functions_of_one_name_in_one_file_differ_in_their_addresses(parsed):
    found = parsed(collection(proved(line=10), proved(line=30)))
    assert {"src/a.cpp:invert", "src/a.cpp:invert:30"} <= set(found.values("id"))


def test_links_to_the_emitted_files_start_from_where_the_page_is(tmp_path):
    lifted = tmp_path / "lifted run"
    text = page(collection(proved()), lifted, tmp_path / "pages" / "x.html")
    assert 'href="./../lifted%20run/a/invert/pipeline.py"' in text
    inside = page(collection(proved()), lifted, lifted / "report.html")
    assert 'href="./a/invert/pipeline.py"' in inside


def test_a_definition_of_megabytes_is_cut_and_said_to_be(parsed):
    record = proved()
    long = replace(record.stages[0], definition="dst(x) = " + "src(x) + " * 50_000)
    found = parsed(collection(replace(record, stages=(long,))))
    assert len(found.source) < 60_000
    assert "(450,009 characters)" in found.text


def test_without_figures_there_is_no_plot(parsed):
    assert "Speed-up over the original" in parsed(collection(proved())).text
    found = parsed(collection(proved(), speed=None))
    assert "Speed-up" not in found.text
    assert "×" not in found.text


@pytest.mark.slow
def test_a_large_page_keeps_functions_as_text_that_scripts_open(parsed):
    small = parsed(collection(*(proved(f"f{n}", line=n * 10) for n in range(9))))
    assert "noscript" not in small.tags
    large = parsed(collection(*(proved(f"f{n}", line=n * 10) for n in range(401))))
    assert large.tags.count("noscript") == 401
    assert large.unclosed == large.stray == []


def test_a_reproducible_build_gets_the_time_it_asks_for(parsed, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert "as of 1970-01-02 00:00 UTC" in parsed(one_of_each()).text


def test_ids_say_what_they_are_of(parsed):
    ids = parsed(collection(proved("operator<<", "a b/ü.cpp"))).values("id")
    assert "a%20b/%C3%BC.cpp:operator%3C%3C" in ids
    assert unquote("a%20b/%C3%BC.cpp:operator%3C%3C") == "a b/ü.cpp:operator<<"
