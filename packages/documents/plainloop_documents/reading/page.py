"""A web page's readable text, and the data it carries as JSON-LD. Runs in the child."""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, cast

from lxml import etree as _etree  # pyright: ignore[reportMissingTypeStubs, reportAttributeAccessIssue, reportUnknownVariableType]

from plainloop.agent.base.text.foreign_json import as_object, list_objects, to_list

from .refusal import MAX_TEXT_CHARS

etree: Any = _etree  # pyright: ignore[reportUnknownVariableType]

MAX_DEPTH: Final = 200
MAX_ITEMS: Final = 50
MAX_NESTING: Final = 8  # of JSON-LD
_NEVER_TEXT: Final = frozenset("script style noscript template svg iframe object canvas".split())
# Around a page's own text; in a saved document they may hold the author's address or skills.
_AROUND_TEXT: Final = frozenset("nav footer aside form button select dialog".split())
# Where a line ends, and where a paragraph does. Neither can come from a page: there it is space.
_LINE: Final = "\x0b"
_PARAGRAPH: Final = "\x0c"
_BREAKS: Final = {
    **dict.fromkeys(
        "article blockquote dl figure h1 h2 h3 h4 h5 h6 header hr main ol p pre section table ul"
        " body".split(),
        _PARAGRAPH,
    ),
    **dict.fromkeys("address dd div dt figcaption li tbody thead tr".split(), _LINE),
}
_MAIN_PATHS: Final = (".//main", ".//*[@role='main']", ".//article")
_WORDS: Final = {
    "title": "string((//title)[1])",
    "heading": "string((//h1)[1])",
    "shared": "string((//meta[@property='og:title']/@content)[1])",
    "site": "string((//meta[@property='og:site_name']/@content)[1])",
}
_MARKS: Final = {
    **{f"h{level}": "#" * level + " " for level in range(1, 7)},
    "li": "- ",
    "br": _LINE,
    "td": " | ",
    "th": " | ",
}
_HIDDEN: Final = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden"
    r"|(?:opacity|font-size)\s*:\s*0(?:\.0+)?(?![.\d])",
    re.I,
)
META_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.I)
_BYTE_ORDER_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Extract a web page's text and data, as the job of a child process.

    Returns `{"title", "heading", "shared", "site", "text", "canonical", "items"}`. The text leaves
    out navigation and the like, unless the option `is_document` is true: a file saved as HTML.

    shared: the title that the page has where people share it.

    items: JSON-LD and microdata of the option `item_type` ("Recipe"), wherever in the page they
    stand, each once; a description in HTML as readable text.
    """
    text = re.sub(r"^\s*<\?xml[^>]*>", "", decode_page(content, options.get("charset")))
    parser = etree.HTMLParser(encoding="utf-8", recover=True, no_network=True, remove_pis=True)
    tree: Any = etree.fromstring((text or "<p></p>").encode("utf-8", "replace"), parser)
    if tree is None:
        tree = etree.fromstring(b"<p></p>", parser)
    words = {name: " ".join(str(tree.xpath(path)).split())[:300] for name, path in _WORDS.items()}
    canonical = str(tree.xpath("string((//link[@rel='canonical']/@href)[1])"))
    items: list[dict[str, Any]] = []
    named: dict[Any, dict[str, Any]] = {}
    for script in tree.xpath("//script[contains(@type, 'ld+json')]"):
        with suppress(ValueError, RecursionError):
            value = _parse_data(script.text or "")
            items += _find_items(value, options.get("item_type"), 0)
            graph = to_list(as_object(value).get("@graph", value))
            # Not a node that is or holds an item: an item put into itself could not be written
            # (test_a_json_ld_item_that_refers_to_its_own_page_is_read).
            named |= {
                str(node["@id"]): node
                for node in list_objects(graph)
                if "@id" in node and not any(_find_items(node, options.get("item_type"), 0))
            }
    for item in items:  # what is only named there is told elsewhere in the page
        about = ((key, as_object(value)) for key, value in item.items())
        named_only = {key: str(value["@id"]) for key, value in about if value.keys() == {"@id"}}
        item |= {key: named[name] for key, name in named_only.items() if name in named}
    # Else what the page marks up in place. Source: https://html.spec.whatwg.org/#microdata.
    for node in tree.xpath("//*[@itemscope and @itemtype]")[:MAX_ITEMS] if not items else ():
        if options.get("item_type") in re.findall(r"[^/\s]+(?=\s|$)", node.get("itemtype")):
            items.append(_read_properties(node, 0))
    kept: list[dict[str, Any]] = []
    for item in items:
        if item not in kept and len(kept) < MAX_ITEMS:
            kept.append(item)
    for item in kept:
        if isinstance(item.get("description"), str):
            item["description"] = read_fragment(item["description"])
    is_document = options.get("is_document", False)
    _drop_unseen(tree, _NEVER_TEXT if is_document else _NEVER_TEXT | _AROUND_TEXT)
    paths = () if is_document else _MAIN_PATHS
    return {
        **words,
        "text": _read_main(tree, paths)[:MAX_TEXT_CHARS],
        "canonical": canonical[:2_000],
        "items": kept,
    }


def read_fragment(text: str) -> str:
    """Convert a piece of HTML, even if escaped twice, to readable text.

    >>> read_fragment("&lt;p&gt;Cook &amp;amp; smile.&lt;/p&gt;&lt;li&gt;Fish&lt;/li&gt;")
    'Cook & smile.\\n\\n- Fish'
    """
    text = html.unescape(text[:MAX_TEXT_CHARS]) if "<" not in text else text[:MAX_TEXT_CHARS]
    if "<" not in text:
        return "\n".join(" ".join(line.split()) for line in text.splitlines()).strip()
    parser = etree.HTMLParser(encoding="utf-8", recover=True, no_network=True, remove_pis=True)
    tree: Any = etree.fromstring(f"<body>{text}</body>".encode("utf-8", "replace"), parser)
    if tree is None:
        return ""
    _drop_unseen(tree, _NEVER_TEXT | _AROUND_TEXT)
    return _read_main(tree, _MAIN_PATHS)


def _parse_data(text: str) -> Any:
    """Parse a page's JSON-LD, even in a comment, with line ends in texts or extra commas."""
    raw = re.sub(r"^\s*(?:<!--|//<!\[CDATA\[)|(?:-->|//\]\]>)\s*$", "", text)
    # Scripts fill `NaN` in where they had no pay, and JSON has no word for it.
    numbers = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), _parse_number)
    try:
        return json.loads(raw, strict=False, **numbers)
    except json.JSONDecodeError:
        # A text without an end is taken whole: each of its quotes would look for an end again.
        plain = re.sub(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*[}\]])', r"\1", raw, flags=re.S)
        return json.loads(plain, strict=False, **numbers)


def _parse_number(text: str) -> float | None:
    """Parse a number of a page's data; None for one that no JSON can hold (NaN, 1e999)."""
    number = float(text)
    if not math.isfinite(number):
        return None
    return int(text) if text.lstrip("-").isdigit() else number


def decode_page(content: bytes, charset: str | None) -> str:
    """Decode an HTML page to text, choosing the encoding as browsers do.

    That is by byte order mark, HTTP charset or `<meta>` charset.

    >>> decode_page(b'<meta charset="latin1">\\x80', None)[-1]
    '€'
    """
    for mark, name in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(name, "replace")
    found = META_CHARSET.search(content[:4_096])
    own = found[1].decode("ascii", "replace") if found else ""
    # A page whose own words could be read so far is no UTF-16, whatever it says.
    for name in filter(None, (charset, "utf-8" if "16" in own else own)):
        # What calls itself Latin-1 or ASCII is Windows-1252 on the web.
        if re.fullmatch(r"(?i)iso[-_]?8859[-_]?1|latin[-_]?1|us-ascii|ascii", name):
            name = "cp1252"
        try:
            return content.decode(name, "replace")
        except (LookupError, UnicodeError, ValueError):  # no such charset, or none of text
            continue
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _read_properties(scope: Any, depth: int) -> dict[str, Any]:
    """Read the microdata properties of an element that has `itemscope`, nested ones as dicts."""
    found: dict[str, Any] = {}
    waiting = list(reversed(scope))
    while waiting:
        node = waiting.pop()
        if not isinstance(node.tag, str):
            continue
        is_scope = "itemscope" in node.attrib
        for name in (node.get("itemprop") or "").split():
            inner = _read_properties(node, depth + 1) if is_scope and depth < MAX_NESTING else None
            value = _read_property(node, name) if inner is None else inner
            before = found.get(name)
            found[name] = value if before is None else [*to_list(before), value]
        if not is_scope:
            waiting += reversed(node)
    return found


def _read_property(node: Any, name: str) -> str:
    """Read one microdata property: from the element's attribute, else its text."""
    for attribute in ("content", "datetime", "href", "src"):
        if node.get(attribute) is not None:
            return str(node.get(attribute))
    if name == "description":
        return str(etree.tostring(node, encoding="unicode", method="html", with_tail=False))
    return " ".join("".join(node.itertext()).split())


def _find_items(value: Any, item_type: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the objects of a JSON-LD value, nested ones too, whose `@type` is the item type."""
    if depth > MAX_NESTING:
        return
    if isinstance(value, dict):
        node = cast(dict[str, Any], value)
        # "JobPosting", "schema:JobPosting" and "https://schema.org/JobPosting" are all in use.
        types = [re.split("[/:]", str(name))[-1] for name in to_list(node.get("@type"))]
        if item_type in types:
            yield node
            return
        value = list(node.values())
    if isinstance(value, list):
        for item in cast(list[Any], value):
            if isinstance(item, dict | list):
                yield from _find_items(item, item_type, depth + 1)


def _drop_unseen(tree: Any, dropped: frozenset[str]) -> None:
    """Remove hidden elements and the dropped tags from the tree; text after them stays."""
    for node in list(tree.iter()):
        is_hidden = isinstance(node.tag, str) and (
            "hidden" in node.attrib
            or node.get("aria-hidden") == "true"
            or _HIDDEN.search(node.get("style", ""))
        )
        parent, before = node.getparent(), node.getprevious()
        is_seen = isinstance(node.tag, str) and node.tag not in dropped and not is_hidden
        if is_seen or parent is None:
            continue
        if before is not None:  # lxml keeps the text behind a node with the node
            before.tail = (before.tail or "") + (node.tail or "")
        else:
            parent.text = (parent.text or "") + (node.tail or "")
        parent.remove(node)


def _read_main(tree: Any, paths: tuple[str, ...]) -> str:
    """Read the text of the only element at a path if that is a third of all text; else all."""
    body = tree.find("body")
    body = tree if body is None else body
    size = len("".join(body.itertext()))
    for path in paths:
        found = body.findall(path)
        if len(found) == 1 and 3 * len("".join(found[0].itertext())) >= size:
            body = found[0]
            break
    pieces: list[str] = []
    _collect_text(body, pieces, 0)
    text = re.sub(r" +", " ", "".join(pieces))
    text = re.sub(rf"(?<!\s)\s*{_PARAGRAPH}\s*", "\n\n", text)
    return re.sub(rf"(?<! ) *{_LINE}[ {_LINE}]*", "\n", text).strip()


def _collect_text(node: Any, pieces: list[str], depth: int) -> None:
    if depth > MAX_DEPTH:
        pieces.append(_flatten(" ".join(node.itertext())))
        return
    around = _BREAKS.get(node.tag, "")
    pieces += [around, _MARKS.get(node.tag, ""), _flatten(node.text)]
    for child in node:
        _collect_text(child, pieces, depth + 1)
        pieces.append(_flatten(child.tail))
    pieces.append(around)


def _flatten(text: str | None) -> str:
    """Collapse whitespace: line ends in HTML source mean nothing."""
    return re.sub(r"\s+", " ", text) if text else ""
