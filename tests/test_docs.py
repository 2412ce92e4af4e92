"""What README and docs show in a terminal is what a terminal shows.

A ```console block is run line by line, on an empty database per document, and its output compared
(ids, times of day and durations apart). After a change that is meant, write the new output into
the documents with `PLAINLOOP_UPDATE_DOCS=1 ./scripts/test tests/test_docs.py`.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import shlex
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from plainloop.agent.cli.app import app
from plainloop.agent.packs.loading import list_pack_names
from tests.cli.conftest import Command, make_environ, open_forks, write_command
from tests.cli.forking import IS_ON

ROOT = Path(__file__).parents[1]
PAGES = ("docs/**/*.md", "packages/*/docs/*.md", "packages/*/README.md")
DOCUMENTS = [
    Path("README.md"),
    *sorted(path.relative_to(ROOT) for pattern in PAGES for path in ROOT.glob(pattern)),
]
BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```(?:sh|bash|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`((?:plainloop|\./scripts/start)(?: [^`\n]*)?)`")
PROGRAM = re.compile(r"(?:^|(?<=[\s(]))(?:\.venv/bin/plainloop|plainloop|\./scripts/start)(?=\s|$)")
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)")
OPERATORS = "();<>|&"
PROGRAM_HERE = f"{shlex.quote(sys.executable)} -m plainloop"
UPDATE = bool(os.environ.get("PLAINLOOP_UPDATE_DOCS"))
COMMAND_TIMEOUT_S = 180
SITE, SERVICE = "127.0.0.1:8777", "127.0.0.1:8000"
VARYING = (
    (re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?"), "ID"),
    (re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?Z?)?)?"), "TIME"),
    (re.compile(r"^latency  .*$", re.MULTILINE), "LATENCY"),
    (re.compile(r"(?<=by )\d+ \w+(?= at this pace)"), "DAY"),
    (re.compile(r"\b\d+(?:\.\d+)? m?s\b"), "DURATION"),
)


def list_documents_with_commands() -> list[Path]:
    return [path for path in DOCUMENTS if BLOCK.search((ROOT / path).read_text(encoding="utf-8"))]


def hide_varying(text: str) -> str:
    for pattern, name in VARYING:
        text = pattern.sub(name, text)
    return text


def list_commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


class Reader:
    """Somebody who types a document's commands, with the sample site and the service at hand."""

    def __init__(self, environ: dict[str, str], folder: Path, addresses: dict[str, str]) -> None:
        self._environ = environ
        self._folder = folder
        self._command = folder / "command"
        self._needed = write_command(self._command)
        self._addresses = addresses  # as the documents have them → as they are here

    async def run_block(self, block: str) -> str:
        """The block as a terminal shows it: each command, then what it printed."""
        return "\n".join([await self._run(command) for command in list_commands(block)])

    async def _run(self, command: str) -> str:
        here = self._to_here(command)
        tokens = [*shlex.shlex(here, posix=True, punctuation_chars=True)]
        needs_shell = any(set(word) <= set(OPERATORS) for word in tokens) or "$" in here
        process: Any
        if IS_ON and here.startswith(PROGRAM_HERE) and not needs_shell:
            words = shlex.split(here.removeprefix(PROGRAM_HERE))
            process = await open_forks().start(
                words, self._folder, self._environ, joins_stderr=True
            )
        else:
            process = await asyncio.create_subprocess_exec(
                *("bash", "-c", here.replace(PROGRAM_HERE, shlex.quote(str(self._command)))),
                cwd=self._folder,
                env=self._environ,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                pass_fds=self._needed,
            )
        async with asyncio.timeout(COMMAND_TIMEOUT_S):
            out, _ = await process.communicate()
        text = out.decode()
        code = process.returncode
        # A run that waits for a person is no failure.
        assert code == 0 or (code == 8 and "APPROVAL_NEEDED" in text), f"{command}: {text}"
        for there, here in self._addresses.items():
            text = text.replace(here, there)
        printed = "".join(line.rstrip() + "\n" for line in text.splitlines())
        return f"$ {command}\n{printed}"

    def _to_here(self, command: str) -> str:
        for there, here in self._addresses.items():
            command = command.replace(there, here)
        return command.replace("./scripts/start", PROGRAM_HERE)


def list_invocations(text: str) -> list[list[str]]:
    """The words after `plainloop` or `./scripts/start` in every command that a document shows."""
    lines = [
        line.removeprefix("$ ")
        for block in SHELL.findall(text)
        for line in block.replace("\\\n", " ").splitlines()
        if "$ " not in block or line.startswith("$ ")
    ]
    found: list[list[str]] = []
    for line in (*lines, *INLINE.findall(text)):
        begin = PROGRAM.search(line)
        if begin is None or line.startswith("docker compose exec"):
            continue
        tokens = shlex.shlex(line[begin.end() :], posix=True, punctuation_chars=True)
        words = [*itertools.takewhile(lambda word: not set(word) <= set(OPERATORS), tokens)]
        is_bare = not words or (words[0].startswith("-") and words[0] not in ("--help", "--debug"))
        in_script = begin[0].endswith("start")
        found.append(["start", *words] if in_script and is_bare else words)
    return found


def find_mistake(words: list[str]) -> str | None:
    """What is not there: the first command or option that the program does not know."""
    command: Any = get_command(app)
    known = {name for item in command.params for name in [*item.opts, *item.secondary_opts]} | {
        "--help"
    }
    for word in words:
        if word.startswith("-") and word != "-" and not word[1:2].isdigit():
            if word.partition("=")[0] not in known:
                return word
        elif hasattr(command, "commands") and re.fullmatch("[a-z-]+", word):
            inner = command.get_command(None, word)
            if inner is None and not command.invoke_without_command:
                return word
            command = inner or command
            known |= {
                name for item in command.params for name in [*item.opts, *item.secondary_opts]
            }
    return None


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_documented_commands_and_options_exist(path: Path) -> None:
    shown = list_invocations((ROOT / path).read_text(encoding="utf-8"))
    mistakes = {" ".join(words): wrong for words in shown if (wrong := find_mistake(words))}
    assert mistakes == {}


@contextmanager
def serve_samples() -> Iterator[str]:
    """The samples' folder on loopback; its address."""
    handler = partial(QuietHandler, directory=str(ROOT / "docs" / "samples"))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@asynccontextmanager
async def serve_plainloop(environ: dict[str, str], folder: Path) -> AsyncIterator[str]:
    """`plainloop serve` on a free port; its address."""
    process = await Command(environ, folder).start("serve", "--port", "0")
    assert process.stdout and process.stderr
    log = asyncio.create_task(process.stderr.read())  # or it stands still once the pipe is full
    try:
        async with asyncio.timeout(COMMAND_TIMEOUT_S):
            first = (await process.stdout.readline()).decode()
        yield first.strip().rpartition("//")[2]
    finally:
        process.terminate()
        await process.wait()
        await log


@pytest.mark.skipif("careers" not in list_pack_names(), reason="the documents show that pack")
@pytest.mark.parametrize("path", list_documents_with_commands(), ids=str)
async def test_documented_terminal_output_is_real(
    path: Path, database_url: str, tmp_path: Path
) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    for name in ("docs", "packages"):
        (tmp_path / name).symlink_to(ROOT / name)
    async with AsyncExitStack() as stack:
        site = stack.enter_context(serve_samples())
        environ = make_environ(tmp_path) | {
            "AGENT_PACKS": ",".join(list_pack_names()),
            "DATABASE_URL": database_url,
            "COLUMNS": "100",
            "AGENT_OUTBOUND_ALLOW": site,
        }
        addresses = {SITE: site}
        reader = Reader(environ, tmp_path, addresses)
        outputs: list[str] = []
        for found in BLOCK.finditer(text):
            if SERVICE in found[0] and SERVICE not in addresses:
                # Not before: what the terminal decides, a server may go on with.
                served = serve_plainloop(environ, tmp_path)
                addresses[SERVICE] = await stack.enter_async_context(served)
            outputs.append(await reader.run_block(found[0]))
    if UPDATE:
        blocks = iter(outputs)
        (ROOT / path).write_text(BLOCK.sub(lambda _: next(blocks), text), encoding="utf-8")
        return
    for found, output in zip(BLOCK.finditer(text), outputs, strict=True):
        assert hide_varying(output) == hide_varying(found[0])


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_links_between_documents_resolve(path: Path) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    missing = [link for link in LINK.findall(text) if not (ROOT / path.parent / link).exists()]
    assert not missing


def list_anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as a code host makes them."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    headings = re.findall(r"^#{1,6} (.+)$", text, re.MULTILINE)
    plain = (re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", item).replace("`", "") for item in headings)
    return {re.sub(r"[^\w\- ]", "", item.lower()).replace(" ", "-") for item in plain}


@pytest.mark.parametrize("path", DOCUMENTS, ids=str)
def test_links_to_sections_resolve(path: Path) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    targets = re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", text)
    pages = {name: (ROOT / path.parent / name) if name else ROOT / path for name, _ in targets}
    missing = [
        f"{name}#{anchor}"
        for name, anchor in targets
        if pages[name].suffix == ".md" and anchor not in list_anchors(pages[name])
    ]
    assert missing == []
