"""The page in a real browser: keys, filters, links, colours, print; and one without scripts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lifter.report import Collection

from .made import collection, one_of_each, proved, refuted, skipped, unproved
from .test_hostile import HOSTILE, stuffed

SHOWN = "[...document.querySelectorAll('.fn')].filter(f => f.checkVisibility())"
NAMES = f"{SHOWN}.map(f => f.querySelector('.name').textContent)"
OPEN = f"{SHOWN}.filter(f => f.open).map(f => f.querySelector('.name').textContent)"
FOCUSED = "document.activeElement.closest('.fn')?.querySelector('.name').textContent"
A_MOMENT = "new Promise(done => setTimeout(done, 200))"
"""The search waits a little for the next letter."""


@pytest.fixture
def opened(browser, written):
    """Opens a page and checks, at the end, that nothing went wrong there and nothing was asked."""
    pages = []

    def show(made: Collection, fragment: str = "", **options: object):
        path = written(made)
        page = browser.page(**options)
        page.open(path, fragment)
        pages.append((page, path))
        return page

    yield show
    for page, path in pages:
        assert page.problems() == []
        assert {url.partition("#")[0] for url in page.requests()} == {path.as_uri()}
        page.close()


def large() -> Collection:
    """So many that their parts stay text until they are opened."""
    many = (proved(f"f{n}", line=100 + n * 10) for n in range(400))
    return collection(*many, refuted("smear", line=9000))


def test_a_search_is_a_key_away_and_finds_names_files_and_code(opened):
    page = opened(one_of_each())
    page.press("/")
    page.type("smear")
    page.run(A_MOMENT)
    assert page.run(NAMES) == ["smear"]
    assert page.run("document.querySelector('#shown').textContent") == "1 of 4"
    page.press("Escape")
    assert len(page.run(NAMES)) == 4
    for words, names in (
        ("src/b.cpp", ["slow", "main"]), ("n < 4096 INVERT", ["invert"]), ("nowhere", []),
    ):  # fmt: skip
        page.press("/")
        page.type(words)
        page.run(A_MOMENT)
        assert page.run(NAMES) == names
        page.press("Escape")
    page.press("/")
    page.type("nowhere")
    page.run(A_MOMENT)
    assert page.run("document.querySelector('#none').checkVisibility()") is True
    page.run("document.querySelector('#reset').click()")
    assert len(page.run(NAMES)) == 4


def test_j_and_k_go_through_the_functions_and_enter_opens_them(opened):
    page = opened(one_of_each())
    page.press("j")
    assert page.run(FOCUSED) == "invert"
    page.press("j", "j")
    assert page.run(FOCUSED) == "slow"
    page.press("k", "Enter")
    assert page.run(FOCUSED) == "smear"
    assert page.run(OPEN) == ["smear"]
    page.press("Enter")
    assert page.run(OPEN) == []
    page.press("x")
    assert len(page.run(OPEN)) == 4
    page.press("x")
    assert page.run(OPEN) == []


def test_tab_reaches_every_control_and_what_has_the_focus_is_marked(opened):
    page = opened(one_of_each())
    reached = set()
    for _ in range(40):
        page.press("Tab")
        reached.add(page.run("document.activeElement.id || document.activeElement.className"))
        outline = "getComputedStyle(document.activeElement).outlineStyle"
        is_chip = "document.activeElement.matches('.chip input')"
        beside = "getComputedStyle(document.activeElement.nextElementSibling || document.body)"
        seen = f"{is_chip} ? {beside}.outlineStyle : {outline}"
        assert page.run(f"document.activeElement === document.body ? 'none yet' : {seen}") != "none"
    assert {"search", "file", "code", "sort", "all", "theme", "keys-button"} <= reached


def test_filters_by_status_file_and_code(opened):
    page = opened(one_of_each())

    def choose(control: str, value: str) -> None:
        page.run(
            f"{{const c = document.querySelector('{control}'); c.value = '{value}';"
            "c.dispatchEvent(new Event('change'))}"
        )

    page.run("document.querySelector('input[value=proved]').click()")
    assert page.run(NAMES) == ["smear", "slow", "main"]
    page.run("document.querySelector('a[data-status=failed]').click()")
    assert page.run(NAMES) == ["smear"]
    page.run("document.querySelector('a[data-code=undecided]').click()")
    assert page.run(NAMES) == ["slow"]
    choose("#code", "")
    choose("#file", "2")
    assert page.run(NAMES) == ["slow", "main"]
    heads = "[...document.querySelectorAll('#list > h3')].filter(h => h.checkVisibility()).length"
    assert page.run(heads) == 1


def test_sorts(opened):
    fast = replace(proved("fast", line=70), seconds={"total": 0.001})
    page = opened(collection(proved(), fast, refuted(), unproved(), skipped()))

    def order(by: str) -> list[str]:
        page.run(
            f"{{const c = document.querySelector('#sort'); c.value = '{by}';"
            "c.dispatchEvent(new Event('change'))}"
        )
        names: list[str] = page.run(NAMES)
        return names

    assert order("name") == ["fast", "invert", "main", "slow", "smear"]
    assert order("status") == ["smear", "slow", "invert", "fast", "main"]
    assert order("seconds")[-2:] == ["fast", "main"]
    assert order("obligations")[:2] == ["invert", "fast"]
    assert order("speed")[:2] == ["invert", "fast"]
    page.press("j", "j")
    assert page.run(FOCUSED) == "fast"
    assert order("") == ["invert", "smear", "fast", "slow", "main"]


def test_a_link_opens_its_function_and_goes_to_its_line(opened):
    page = opened(one_of_each(), "#src/a.cpp:smear")
    assert page.run(OPEN) == ["smear"]
    page.run("location.hash = 'src/a.cpp:13'")
    page.run(A_MOMENT)
    assert page.run(OPEN) == ["invert", "smear"]
    top = "document.getElementById('src/a.cpp:13').getBoundingClientRect().top"
    assert 0 <= page.run(top) < 900


def test_a_link_to_what_a_filter_hides_takes_the_filter_away(opened):
    page = opened(one_of_each())
    page.run("document.querySelector('input[value=failed]').click()")
    assert "smear" not in page.run(NAMES)
    page.run("location.hash = 'src/a.cpp:smear'")
    page.run(A_MOMENT)
    assert page.run(OPEN) == ["smear"]


def test_a_large_page_opens_searches_and_links_alike(opened):
    page = opened(large(), "#src/a.cpp:9003")
    assert page.run(OPEN) == ["smear"]
    assert page.run("document.querySelectorAll('.fn ol').length") == 1
    page.press("/")
    page.type("candidate smear")
    page.run(A_MOMENT)
    assert page.run(NAMES) == ["smear"]
    page.press("Escape")
    page.press("/")
    page.type("class=k")  # how it is written is nothing to find
    page.run(A_MOMENT)
    assert page.run(NAMES) == []
    page.press("Escape")
    page.run("document.querySelector('.fn > summary').click()")
    shown = "document.querySelector('.fn[open] .code').innerText"
    assert page.run(shown).startswith("void invert(uint8_t *dst")


@pytest.mark.parametrize("made", [one_of_each, large], ids=["small", "large"])
def test_without_scripts_everything_is_there(opened, made):
    page = opened(made(), scripts=False)
    with_scripts = opened(made())
    with_scripts.press("x")
    text = "document.querySelector('main').textContent.replace(/\\s+/g, ' ')"
    assert page.run("document.querySelector('.filters').checkVisibility()") is False
    assert page.run("document.querySelector('.blocked')?.checkVisibility() || false") is False
    functions = "document.querySelector('#list').textContent.replace(/\\s+/g, ' ')"
    assert page.run(functions) == with_scripts.run(functions)
    assert "the summary isn't dst" in page.run(text)
    page.press("Tab", "Tab")
    page.run("document.querySelector('.fn > summary').focus()")
    page.press("Enter")
    assert page.run("document.querySelector('.fn').open") is True


def test_a_policy_from_outside_that_stops_the_script_is_noticed(opened, written, browser):
    path = written(large())
    page = browser.page()
    blocked = path.read_text("utf-8").replace("script-src &#39;sha256-", "script-src &#39;sha256-A")
    path.write_text(blocked, "utf-8")
    page.open(path)
    assert page.run("document.querySelector('.blocked').checkVisibility()") is True
    assert any("Content Security Policy" in problem for problem in page.problems())
    page.close()


def test_dark_and_light_follow_the_system_until_somebody_chooses(opened):
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = opened(one_of_each()), opened(one_of_each(), dark=True)
    colours = light.run(ground), dark.run(ground)
    assert colours[0] != colours[1]
    light.press("t", "t")
    assert light.run(ground) == colours[1]
    dark.press("t")
    assert dark.run(ground) == colours[0]


def test_text_has_enough_contrast(opened):
    script = """(() => {
      const rgb = (c) => c.match(/[\\d.]+/g).slice(0, 3).map((v) => {
        v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
      const light = (c) => {
        const [r, g, b] = rgb(c); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const ground = (e) => { for (; e; e = e.parentElement) {
        const c = getComputedStyle(e).backgroundColor; if (!c.endsWith(", 0)")) return c; } };
      const poor = [];
      for (const e of document.querySelectorAll("main *")) {
        const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        if (!own || !e.checkVisibility() || e.closest("svg, .hide, .zero")) continue;
        const a = light(getComputedStyle(e).color), b = light(ground(e));
        const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        if (ratio < 4.5) poor.push(`${e.className || e.tagName} ${ratio.toFixed(2)}`);
      }
      return [...new Set(poor)];
    })()"""
    for dark in (False, True):
        page = opened(one_of_each(), dark=dark)
        page.press("x")
        assert page.run(script) == []


@pytest.mark.parametrize("width", [320, 390, 768, 1280, 2200])
def test_no_width_makes_the_page_scroll_sideways(opened, width):
    page = opened(stuffed("x" * 300), width=width)
    page.press("x")
    assert page.run("document.documentElement.scrollWidth") <= width


def test_print_shows_what_is_closed_on_the_screen(opened):
    page = opened(one_of_each())
    page.send("Emulation.setEmulatedMedia", media="print")
    assert page.run("document.querySelector('.fn .code').getBoundingClientRect().height") > 50
    assert page.run("document.querySelector('.filters').checkVisibility()") is False
    assert page.run("document.querySelector('.proofs pre').getBoundingClientRect().height") > 10
    pdf = page.pdf()
    assert pdf.startswith(b"%PDF-")
    assert len(pdf) > 20_000


def test_a_large_page_prints_its_functions(opened):
    made = large()
    page = opened(Collection(made.entries, made.figures, made.notes))
    page.press("/")
    page.type("smear")
    page.run(A_MOMENT)
    page.run("window.dispatchEvent(new Event('beforeprint'))")
    assert page.run("document.querySelectorAll('.fn ol').length") == 1


@pytest.mark.parametrize("text", HOSTILE[:8], ids=lambda t: ascii(t)[1:30])
def test_a_hostile_text_does_nothing(opened, text):
    page = opened(stuffed(text))
    page.press("x")
    assert page.run("document.querySelectorAll('script, img, iframe, h1').length") == 2
    assert page.run("document.querySelectorAll('.fn').length") == 2
    page.run("document.querySelectorAll('a[data-code], a[data-status]').forEach(a => a.click())")


def test_the_keys_are_told(opened):
    page = opened(one_of_each())
    page.press("?")
    assert page.run("document.querySelector('#keys').open") is True
    page.press("Escape")
    assert page.run("document.querySelector('#keys').open") is False
