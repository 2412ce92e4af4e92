"""Web pages: readable text, charsets, hidden text, and postings in JSON-LD."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plainloop_documents.process import run_child
from plainloop_documents.reading.files import PAGE_JOB
from plainloop_documents.reading.page import run

POSTING = {"@context": "https://schema.org", "@type": "JobPosting", "title": "Cook"}


def read_page(html: str | bytes, charset: str | None = None) -> dict[str, Any]:
    """In this process."""
    content = html.encode() if isinstance(html, str) else html
    return run(content, {"charset": charset, "item_type": "JobPosting"})


async def read_in_child(html: str) -> dict[str, Any]:
    options = {"charset": None, "item_type": "JobPosting"}
    return await run_child(PAGE_JOB, html.encode(), timeout_s=20, **options)


def test_a_web_pages_text_keeps_headings_list_items_and_lines():
    page = read_page(
        """<!doctype html><html><head><title> Cook
        wanted </title><link rel="canonical" href="/jobs/7"></head>
        <body><nav>Home | Jobs</nav><header><h1>Cook</h1></header>
        <p>We look for a <b>cook</b>.<br>Start: now</p><ul><li>Knives<li>Fire</ul>
        <table><tr><td>Pay</td><td>50k</td></tr></table>
        <script>alert(1)</script><style>p{}</style><footer>Imprint</footer></body></html>"""
    )

    assert page == {
        "title": "Cook wanted",
        "heading": "Cook",
        "shared": "",
        "site": "",
        "canonical": "/jobs/7",
        "items": [],
        "text": "# Cook\n\nWe look for a cook.\nStart: now\n\n- Knives\n- Fire\n\n| Pay | 50k",
    }


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="display: none">SECRET</p>',
        '<p style="color:red;visibility:hidden">SECRET</p>',
        '<span style="font-size:0">SECRET</span>',
        "<p hidden>SECRET</p>",
        '<div aria-hidden="true">SECRET</div>',
        "<!-- SECRET -->",
        "<template>SECRET</template>",
        "<noscript>SECRET</noscript>",
        '<svg><text x="1">SECRET</text></svg>',
    ],
)
def test_invisible_parts_of_a_web_page_are_omitted(hidden: str):
    page = read_page(f"<body><p>before {hidden} after</p><p>end</p></body>")

    assert "SECRET" not in page["text"]
    assert "before" in page["text"]
    assert "after" in page["text"]


def test_a_web_pages_text_is_its_main_element_if_that_has_text():
    long = "word " * 100
    page = read_page(f"<div>Menu Menu</div><main><p>{long}</p></main><div>Ads</div>")

    assert page["text"] == long.strip()


@pytest.mark.parametrize(
    ("content", "charset"),
    [
        ("<p>Köln €</p>".encode(), None),
        ("<p>Köln €</p>".encode(), "utf-8"),
        ("<p>Köln €</p>".encode("cp1252"), None),
        ("<p>Köln €</p>".encode("cp1252"), "iso-8859-1"),
        ("<p>Köln €</p>".encode("cp1252"), "no-such-charset"),
        (b"<meta charset=windows-1252>" + "<p>Köln €</p>".encode("cp1252"), None),
        (
            b'<meta http-equiv=x content="text/html; charset=utf-16">' + "<p>Köln €</p>".encode(),
            None,
        ),
        ("<p>Köln €</p>".encode("utf-16"), None),
        ("\ufeff<p>Köln €</p>".encode(), "latin1"),
        ('<?xml version="1.0" encoding="latin1"?><p>Köln €</p>'.encode(), None),
        ("<p>Köln €</p>".encode("iso-8859-15"), "iso-8859-15"),
    ],
)
def test_a_pages_charset_is_detected_as_browsers_do(content: bytes, charset: str | None):
    assert read_page(content, charset)["text"] == "Köln €"


@pytest.mark.parametrize(
    "value",
    [
        POSTING,
        [POSTING],
        {"@graph": [{"@type": "WebSite"}, POSTING]},
        {"@type": "WebPage", "mainEntity": POSTING},
    ],
)
def test_a_job_posting_is_read_at_any_depth_of_json_ld(value: Any):
    page = read_page(f'<script type="application/ld+json">{json.dumps(value)}</script>')

    assert page["items"] == [POSTING]


@pytest.mark.parametrize(
    "raw",
    [
        "<!-- " + json.dumps(POSTING) + " -->",
        json.dumps(POSTING).replace("Cook", "Co\nok"),
        "//<![CDATA[\n" + json.dumps(POSTING) + "\n//]]>",
    ],
)
def test_json_ld_with_common_mistakes_is_read(raw: str):
    page = read_page(f'<script type="application/ld+json">{raw}</script>')

    assert [posting["@type"] for posting in page["items"]] == ["JobPosting"]


@pytest.mark.parametrize("kind", ["schema:JobPosting", "http://schema.org/JobPosting"])
def test_a_job_posting_is_read_by_its_full_type(kind: str):
    raw = json.dumps(POSTING | {"@type": ["Thing", kind]})
    page = read_page(f'<script type="application/ld+json">{raw}</script>')

    assert [posting["title"] for posting in page["items"]] == ["Cook"]


PAGE_ID = {"@id": "https://noma.example/jobs/7"}


@pytest.mark.parametrize(
    "value",
    [
        POSTING | PAGE_ID | {"mainEntityOfPage": PAGE_ID},
        {"@type": "WebPage", **PAGE_ID, "mainEntity": POSTING | {"mainEntityOfPage": PAGE_ID}},
        [POSTING | PAGE_ID | {"x": {"@id": "b"}}, POSTING | {"@id": "b", "x": PAGE_ID}],
    ],
)
async def test_a_json_ld_item_that_refers_to_its_own_page_is_read(value: Any):
    page = await read_in_child(f'<script type="application/ld+json">{json.dumps(value)}</script>')

    assert {posting["title"] for posting in page["items"]} == {"Cook"}


@pytest.mark.parametrize("pay", ["NaN", "-Infinity", "1e999", "9" * 400])
async def test_an_impossible_number_in_a_pages_data_is_left_out(pay: str):
    raw = json.dumps(POSTING | {"baseSalary": 7, "x": 1.5}).replace("7", pay)
    page = await read_in_child(f'<script type="application/ld+json">{raw}</script>')

    assert page["items"] == [POSTING | {"baseSalary": None, "x": 1.5}]


async def test_half_an_emoji_in_a_pages_data_is_replaced():
    raw = json.dumps(POSTING | {"title": "Cook \ud83d"})
    page = await read_in_child(f'<script type="application/ld+json">{raw}</script>')

    assert page["items"] == [POSTING | {"title": "Cook \ufffd"}]


@pytest.mark.parametrize("raw", ["{", "[" * 100_000, '{"@type": 7}', "null", '"JobPosting"'])
def test_invalid_json_ld_is_ignored(raw: str):
    page = read_page(f'<script type="application/ld+json">{raw}</script><p>text</p>')

    assert (page["items"], page["text"]) == ([], "text")


MONSTROUS = [
    "",
    " ",
    "<",
    "<div>" * 50_000 + "deep",
    "<p>" + "a" * 1_000_000,
    "<a " + "x=1 " * 100_000 + ">y</a>",
    "\x00<p>x</p>",
    "&#0;&#xD800;&#x10FFFF;&#99999999;x",
    "<table>" * 2_000 + "x",
    "<!doctype html [<!ENTITY a 'b'>]>&a;x",
]


async def test_broken_and_huge_pages_are_read_partially_in_a_child():
    for html in MONSTROUS:
        page = await run_child(PAGE_JOB, html.encode(), timeout_s=10, charset=None)
        assert page.get("error") in (None, "too_large", "corrupt"), html[:20]
