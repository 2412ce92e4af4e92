"""The console's files: what is served of them, what they may hold, from what they are made."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from playwright.async_api import Route, expect
from pygments.lexers.css import CssLexer
from pygments.lexers.javascript import JavascriptLexer
from pygments.token import Comment

from plainloop.agent.designs.default import build_orchestrator_nodes
from plainloop.server.console.serving import STATIC, strip_comments
from tests.console.conftest import SAID, Look
from tests.machine.notes_pack import make_pack
from tests.server.conftest import Serve, Served

ROOT = Path(__file__).parents[2]
FOREIGN = {path.name for path in (ROOT / "server/console/vendor").glob("*.js")}
OWN = [
    *(path for path in sorted(STATIC.glob("*.js")) if path.name not in FOREIGN),
    *sorted(ROOT.glob("packages/*/plainloop_*/screens/*.js")),
]
FORBIDDEN = (
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|dangerouslySet|\bon\w+=\"|eval\("
)
# What strangers could not read, and what it says instead stands in the console's specification.
RIDDLES = (
    r"Look again|everybody's|The row as it is now|What it would be called with|The worst first"
    r"|Nothing said yet|works on it|gave<|Without filters|Words in company|Of others"
)
SHELL_DATA = ("/api/session", "/api/config")
MOST_SHELL_BYTES = 80_000  # with the first page
MOST_FONT_BYTES = 22_000
MAX_BYTES = 150_000  # with every page
LEXERS = {".js": JavascriptLexer, ".css": CssLexer}


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_console_modules_create_no_html_from_text_and_load_no_other_origin(path: Path):
    code = re.sub(r"^//.*$", "", path.read_text(), flags=re.MULTILINE)

    assert re.findall(FORBIDDEN, code) == []
    assert re.findall(r"https?://[\w.]+", code) == []
    assert not re.search(r"style=\$", code)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_console_texts_contain_no_wording_of_the_banned_list(path: Path):
    assert (
        re.findall(RIDDLES, re.sub(r"^\s*//.*$|/\*.*?\*/", "", path.read_text(), flags=re.M)) == []
    )


EXPORTED = re.compile(
    r"^export (?:async )?(?:function\*?|const|let|class) (\w+)|^export \{ ?([^}]*?) ?\}"
    r"|;export\{([^}]*)\}",
    re.MULTILINE,
)


def list_names(listed: str) -> set[str]:
    """Return the names that `{ a, b as c }` exports: a, c."""
    return {name.split(" as ")[-1].strip() for name in listed.split(",") if name.strip()}


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_console_modules_import_only_names_that_are_exported(path: Path):
    # A pack's page that imports a missing name does not open.
    for listed, module in re.findall(r'import \{([^}]*)\} from "([^"]+)"', path.read_text()):
        source = (STATIC if module.startswith("../") else path.parent) / Path(module).name
        groups = EXPORTED.findall(source.read_text())
        exported = set[str]().union(*(list_names(",".join(filter(None, it))) for it in groups))
        wanted = {name.split(" as ")[0].strip() for name in listed.split(",") if name.strip()}

        assert wanted <= exported, module


def list_tokens(code: bytes, suffix: str) -> list[str]:
    """Its tokens as another reader of the language finds them, without comments and indentation."""
    found = LEXERS[suffix]().get_tokens(code.decode())
    kept = [token for kind, token in found if kind not in Comment and token.strip()]
    return [re.sub(r"\n +", "\n", token) for token in kept]


# What is in code no bracket and no quote of a template: comments, strings, regular expressions.
SKIPPED = re.compile(
    r"""//.*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'"""
    r"|(?<=[(,=:\[!&|?{};])\s*/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n\[])+/"
)


def list_long_texts(code: str) -> list[int]:
    """Positions of template literals over several lines that are no markup (`html`)."""
    inside: list[tuple[str, int]] = []  # html or text, `${`, `{`: what is open, and where
    found: set[int] = set()
    at = 0
    while at < len(code):
        kind, start = inside[-1] if inside else ("", 0)
        if kind in ("html", "text"):
            if kind == "text" and code[at] == "\n":
                found.add(start)
            if code[at] == "`":
                inside.pop()
            elif code.startswith("${", at):
                inside.append(("${", at))
                at += 1
            at += 1 + (code[at] == "\\")
            continue
        if skipped := SKIPPED.match(code, at):
            at = skipped.end()
            continue
        if code[at] == "`":
            inside.append(("html" if code[:at].endswith("html") else "text", at))
        elif code[at] == "{":
            inside.append(("{", at))
        elif code[at] == "}":
            inside.pop()
        at += 1
    assert not inside
    return sorted(found)


def test_the_check_for_multi_line_texts_reports_only_those_outside_markup():
    assert list_long_texts("const a = html`<b>\n${`x ${1} y`}</b>`; say(`one line`, /[`{]/);") == []
    assert list_long_texts("const a = html`<b>${`x\n y`}</b>`;")


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_no_line_of_a_console_file_is_longer_than_160_characters(path: Path):
    if path.name != "icons.js":  # made by a script
        assert [line for line in path.read_text().splitlines() if len(line) > 160] == []


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_only_one_module_formats_dates(path: Path):
    # Elsewhere only the name of the reader's time zone is asked for.
    text = path.read_text().replace("DateTimeFormat().resolvedOptions().timeZone", "")
    made = re.findall(r"DateTimeFormat|toLocale(?:Date|Time)String", text)

    assert made == (["DateTimeFormat"] if path.name == "words.js" else [])


def test_the_console_describes_every_node_of_the_default_design():
    described = re.findall(r"^  (\w+): \"", (STATIC / "words.js").read_text(), flags=re.MULTILINE)
    nodes = build_orchestrator_nodes(replace(make_pack(), workers=())).nodes

    assert {name for name in nodes if not name.startswith("fast_")} <= {*described}


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_console_scripts_contain_no_multi_line_text_outside_markup(path: Path):
    # What is served has no indentation: it would be missing in such a text.
    assert list_long_texts(path.read_text()) == []


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(STATIC.iterdir()) if path.suffix in LEXERS],
    ids=lambda p: p.name,
)
def test_console_files_are_served_without_their_comments(path: Path):
    source = path.read_bytes()
    served = strip_comments(source, path.suffix)

    assert list_tokens(served, path.suffix) == list_tokens(source, path.suffix)
    if path.suffix == ".js":  # errors name their lines
        assert served.count(b"\n") == source.count(b"\n")


def weigh(names: set[str]) -> int:
    """Bytes that a browser fetches for them."""
    served = (strip_comments((STATIC / name).read_bytes(), Path(name).suffix) for name in names)
    return sum(len(gzip.compress(content, 9)) for content in served)


def list_needed(name: str, known: set[str]) -> set[str]:
    """The file with all that it loads by itself."""
    if name in known:
        return known
    known.add(name)
    if name.endswith(".woff2"):
        return known  # names nothing
    text = (STATIC / name).read_text()
    for found in re.findall(r'(?:from "\./|="/console/)([\w.]+)"', text):
        list_needed(found, known)
    return known


def test_the_console_shell_stays_below_its_size():
    page = (STATIC / "index.html").read_text()
    shell = list_needed("index.html", set())
    all_files = {path.name for path in STATIC.iterdir()}

    assert {"app.js", "chat.js", "vendor.js", "console.css"} <= shell < all_files
    assert {"usage.js", "pages.css"}.isdisjoint(shell)
    # Asked for at once: a module that is found by the one before costs a round trip each.
    preloaded = set(re.findall(r'modulepreload" href="/console/([\w.]+)"', page))
    assert preloaded == {name for name in list_needed("app.js", set()) if name != "app.js"}
    fonts = {name for name in all_files if name.endswith(".woff2")}
    assert weigh(shell - fonts) <= MOST_SHELL_BYTES
    assert weigh(all_files - fonts) <= MAX_BYTES
    assert sum((STATIC / name).stat().st_size for name in fonts) <= MOST_FONT_BYTES


async def test_styles_of_other_pages_come_with_the_first_of_them_behind_the_shells(
    served: Served, look: Look
):
    viewer = await look(served)
    page = viewer.page
    sheets = page.locator("link[rel=stylesheet]")
    await expect(page.locator(SAID)).to_be_visible()
    await expect(sheets).to_have_count(2)

    for screen, part in (("usage", ".screen-head"), ("history", ".search")):
        await viewer.go(f"#/{screen}")
        await expect(page.locator(part)).to_have_css("display", "flex")
    names = [
        url.rsplit("/", 1)[-1]
        for url in await sheets.evaluate_all("them => them.map((one) => one.href)")
    ]
    assert names[:3] == ["tokens.css", "console.css", "pages.css"]
    assert names.count("pages.css") == 1


async def test_the_consoles_first_paint_needs_only_page_and_style(served: Served, look: Look):
    browser = (await look(served)).page.context.browser
    assert browser
    page, asked = await (await browser.new_context()).new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url.removeprefix(served.url)))
    held = asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route(re.compile(r"/api/|\.js$"), hold)
    await page.goto(served.url, wait_until="commit")

    await expect(page.get_by_role("navigation")).to_have_text("plainloop")
    held.set()
    await page.wait_for_selector("#said")
    early = [path for path in asked if path.endswith(".js") or path in SHELL_DATA]
    assert set(SHELL_DATA) < set(early)
    assert len(early) == len(set(early)), "what was asked for ahead is not asked for again"


# Looked at whenever something is added: what stands in the frame when it is first there.
WATCH = """new MutationObserver(() => {
    if (document.querySelector(".frame")) window.heads ??= document.querySelectorAll("h1").length;
}).observe(document, { childList: true, subtree: true })"""


async def test_the_consoles_frame_is_not_painted_before_its_first_screen(
    served: Served, look: Look
):
    browser = (await look(served)).page.context.browser
    assert browser
    page = await (await browser.new_context()).new_page()
    await page.add_init_script(WATCH)
    await page.goto(served.url)
    await page.wait_for_selector("#said")

    assert await page.evaluate("window.heads") == 1


async def test_console_files_are_public_cached_and_have_a_csp(serve: Serve):
    served = await serve()
    async with httpx2.AsyncClient(base_url=served.url, trust_env=False) as nobody:
        page = await nobody.get("/")
        again = await nobody.get("/", headers={"if-none-match": page.headers["etag"]})
        strong = page.headers["etag"].removeprefix("W/")
        listed = await nobody.get("/", headers={"if-none-match": f'"other", {strong}'})
        names = re.findall(r'"/console/([\w./]+)"', page.text)
        version = names[0].split("/")[0]
        plain = names[0].removeprefix(f"{version}/")
        others = [await nobody.get(f"/console/{name}") for name in (plain, f"{'0' * 16}/{plain}")]
        files = [await nobody.get(f"/console/{name}") for name in names]
        missing = [
            (await nobody.get(f"/console/{name}")).status_code
            for name in ("nothing.js", "..%2fserving.py", "index.html%00")
        ]

    assert (again.status_code, listed.status_code) == (304, 304)
    assert {file.status_code for file in files} == {200}
    assert missing == [404, 404, 404]
    # Kept for good where the address says which version it is; a page of another one may ask us.
    assert {file.headers["cache-control"] for file in files} == {
        "public, max-age=31536000, immutable"
    }
    assert [file.text for file in others] == [files[0].text] * 2
    assert {file.headers["cache-control"] for file in (page, *others)} == {"no-cache"}
    for answer in (page, *files):
        policy = answer.headers["content-security-policy"]
        assert "require-trusted-types-for 'script'; trusted-types 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


@pytest.mark.skipif(shutil.which("npm") is None, reason="no npm here (Debian: apt-get install npm)")
def test_vendored_console_modules_equal_the_vendor_scripts_output():
    """Once for these very files: it fetches packages."""
    files = [ROOT / "scripts/vendor-console", *sorted((ROOT / "server/console/vendor").iterdir())]
    files += [STATIC / name for name in ("vendor.js", "icons.js", "inter.woff2")]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
    known = ROOT / ".venv" / "vendor-console.sha256"
    if known.is_file() and known.read_text() == digest:
        return
    made = subprocess.run(
        ["./scripts/vendor-console", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    away = ("ENOTFOUND", "EAI_AGAIN", "ECONN", "Could not find a version")
    if any(sign in made.stderr for sign in away):
        pytest.skip("its packages cannot be fetched here")

    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")
    known.write_text(digest)
