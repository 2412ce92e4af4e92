"""The console's files, as they lie in `static/`, and what a browser may do with them."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...agent.core.spec import Pack
from ...agent.dataclasses import dataclass
from ..observe.logs import ROUTE_KEY

STATIC: Final = Path(__file__).parent / "static"
# As one left it: cookies that the page writes (`plainloop_theme`). The next page comes so, as
# `data-theme` and so on, without a flash.
LOOKS: Final = {"theme": ("light", "dark"), "side": ("narrow",), "run": ("shown", "hidden")}
_KINDS: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
# Model output is hostile: no script but ours, no HTML made of text, nothing from elsewhere.
_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    # Each address has two forms, gzip and plain: a shared cache must not send one for the other.
    "vary": "accept-encoding",
}
_REVALIDATED: Final = {"cache-control": "no-cache"}  # and sent when it has changed
_KEPT: Final = {"cache-control": "public, max-age=31536000, immutable"}
# Of scripts those that fill their lines, and those behind a line's code without a quote in them.
# The indentation goes too: no text but markup has lines of its own
# (test_console_scripts_contain_no_multi_line_text_outside_markup). Nothing names a line of a style
# sheet: its lines and the spaces around its signs go as well.
_INDENTATION: Final = re.compile(rb"^ +", re.MULTILINE)
_COMMENTS: Final = {
    ".js": re.compile(rb"^(?://.*|/\*(?s:.*?)\*/)$| // [^\"'`\n]*$", re.MULTILINE),
    ".css": re.compile(rb"(?:/\*(?s:.*?)\*/|(?<=[{};:,])\s+|(?<!\s)\s+(?=[{}]))+"),
}
_VERSIONED: Final = re.compile(r"(?:([0-9a-f]{16})/)?(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    kind: str
    tag: str


def list_console_routes(packs: Iterable[Pack]) -> list[Route]:
    """List the routes of the console's files and the packs' pages.
    They contain no data and need no token.
    """
    ours = [(path, path.suffix) for path in STATIC.iterdir() if path.suffix in _KINDS]
    files = {p.name: _make_file(strip_comments(p.read_bytes(), kind), kind) for p, kind in ours}
    for pack in packs:  # as they are: nobody has tried what `strip_comments` makes of them
        own = [*list_screens(pack), *list_screens(pack, ".css")]
        screens = {f"{pack.name}/{path.name}": path for path in own}
        files |= {n: _make_file(path.read_bytes(), path.suffix) for n, path in screens.items()}
    # The page names its files below a version of them all: a browser keeps what it has of it, and
    # what a module imports lies beside it.
    version = _make_tag("".join(sorted(name + file.tag for name, file in files.items())).encode())
    content = files["index.html"].content.replace(b'"/console/', f'"/console/{version}/'.encode())
    pages: dict[tuple[str, ...], _File] = {}
    for look in product(*(("", *values) for values in LOOKS.values())):
        kept = zip(LOOKS, look, strict=True)
        attributes = "".join(f' data-{name}="{value}"' for name, value in kept if value)
        page = content.replace(b"<html", b"<html" + attributes.encode())
        pages[look] = _make_file(page, ".html")

    async def show_page(request: Request) -> Response:
        request.scope[ROUTE_KEY] = "/"
        kept = [(request.cookies.get(f"plainloop_{name}", ""), LOOKS[name]) for name in LOOKS]
        page = pages[tuple(value if value in values else "" for value, values in kept)]
        return _answer(page, request, {**_REVALIDATED, "vary": "accept-encoding, cookie"})

    async def show_file(request: Request) -> Response:
        request.scope[ROUTE_KEY] = "/console/{name:path}"
        versioned = _VERSIONED.fullmatch(request.path_params["name"])
        file = files.get(versioned[2]) if versioned else None
        if versioned is None or file is None:
            return Response(status_code=404)
        # Another version's is ours all the same: its page may come from a replica that is newer.
        return _answer(file, request, _KEPT if versioned[1] == version else _REVALIDATED)

    return [Route("/", show_page), Route("/console/{name:path}", show_file)]


def list_screens(pack: Pack, suffix: str = ".js") -> list[Path]:
    """Return the paths of the pack's console pages: JavaScript, or `.css` files."""
    return [] if pack.screens is None else sorted(pack.screens.glob(f"*{suffix}"))


def strip_comments(content: bytes, suffix: str) -> bytes:
    """Remove comments and indentation from a file of the console.

    A script's lines keep their numbers. A pattern is enough, as
    test_console_files_are_served_without_their_comments compares each file with its source, token
    by token.

    >>> strip_comments(b"/** Both. */\\nlet a = 1; // and\\nlet b;", ".js")
    b'\\nlet a = 1;\\nlet b;'
    """
    pattern = _COMMENTS.get(suffix)
    if pattern is None:
        return content
    # Indentation first and by itself: nine of ten matches, which need no function called for each.
    content = _INDENTATION.sub(b"", content)
    keeps = suffix == ".js"
    return pattern.sub(lambda cut: b"\n" * cut[0].count(b"\n") if keeps else b"", content)


def _make_file(content: bytes, suffix: str) -> _File:
    # Weak: one tag stands for the plain bytes and for the compressed ones (RFC 9110, 8.8.3.3).
    return _File(content, _KINDS[suffix], f'W/"{_make_tag(content)}"')


@cache
def _compress(content: bytes) -> bytes:  # at the first request: all of them take 50 ms
    # Without a time, so that all replicas send the same bytes.
    return gzip.compress(content, 9, mtime=0)


def _make_tag(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _answer(file: _File, request: Request, caching: dict[str, str]) -> Response:
    headers = {**_HEADERS, **caching, "etag": file.tag}
    # By the weak comparison (RFC 9110, 13.1.2): a proxy that compresses weakens the tag, or a
    # browser sends several (test_console_files_are_public_cached_and_have_a_csp).
    known = request.headers.get("if-none-match", "").split(",")
    if file.tag.removeprefix("W/") in (tag.strip().removeprefix("W/") for tag in known):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(_compress(file.content), headers=headers, media_type=file.kind)
    return Response(file.content, headers=headers, media_type=file.kind)
