"""`bench choice`: two candidates for a shop's agent, what the gate says of each, and what it cost.

Thirty conversations with the shop of `plainloop demo` are held by one model and asked again of
another model, then of a shorter prompt. Models are doubles of the providers' APIs that answer by
rules; requests, token counts and prices are those of the models that are named.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import subprocess
import sys
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from plainloop.agent.config.settings import load_settings
from plainloop.agent.service.opening import open_service
from plainloop.agent.service.service import LOCAL_TENANT, LOCAL_USER
from plainloop_lab.demo.pack import FOLDER, WORKER
from plainloop_rules.offline.brain import brain
from plainloop_wire.app import make_app
from plainloop_wire.serving import build_environ, serve_wire
from scripts.benchmarks.rig.postgres import scratch_postgres

SERVED: Final = "claude-sonnet-5-5"
CHEAPER: Final = "claude-haiku-5-5"
LOST: Final = "- Ask for a yes before you cancel an order.\n"
RULES: Final = """\
[[rule]]
measure = "same_tools"
margin = "10pp"
"""


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench choice", description=__doc__)
    parser.add_argument("--conversations", type=int, default=30)
    options = parser.parse_args(argv)
    logging.disable(logging.CRITICAL)
    with scratch_postgres() as url, tempfile.TemporaryDirectory() as folder:
        base = {
            "DATABASE_URL": url,
            "AGENT_DATA_DIR": folder,
            "AGENT_PACKS": "plainloop_lab.demo",
            "AGENT_MODEL": SERVED,
            "COLUMNS": "100",
            "PATH": os.environ["PATH"],
        }
        asyncio.run(play(options.conversations, base, Path(folder)))


async def play(conversations: int, base: dict[str, str], folder: Path) -> None:
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(serve_wire(make_app(brain)))
        environ = base | build_environ("anthropic", address)
        service = await stack.enter_async_context(open_service(load_settings(environ)))
        for said in list_talks(conversations):
            thread = await service.ensure_thread(LOCAL_TENANT, LOCAL_USER, None, said[0])
            for text in said:
                await service.answer(LOCAL_TENANT, LOCAL_USER, thread.thread_id, text)
        write_files(folder)
        for name, change in (
            ("cheaper", ("--model", CHEAPER)),
            ("shorter", ("--prompts", "prompts")),
        ):
            await run("replay", "live", *change, "--report", name, environ=environ, folder=folder)
            await show("gate", "rules.toml", "--candidate", name, environ=environ, folder=folder)
        await show("usage", "--by", "origin,model", environ=environ, folder=folder)


def list_talks(conversations: int) -> list[tuple[str, ...]]:
    """Build the messages of each conversation: two of five cancel an order, the others look."""
    numbers = (1001 + 7 * n for n in range(conversations))
    return [
        (f"Please cancel order {number}.", "Yes, please.")
        if n % 5 in (1, 3)
        else (f"Where is order {number}?", f"And order {number + 1}?")
        for n, number in enumerate(numbers)
    ]


def write_files(folder: Path) -> None:
    """Write the gate's rules and the shorter prompt."""
    prompt = (FOLDER / "prompt.md").read_text(encoding="utf-8")
    assert LOST in prompt
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    (folder / "prompts").mkdir()
    (folder / "prompts" / f"{WORKER}.md").write_text(prompt.replace(LOST, ""), encoding="utf-8")


async def show(*words: str, environ: dict[str, str], folder: Path) -> None:
    print(f"$ plainloop {' '.join(words)}")
    print(await run(*words, environ=environ, folder=folder), flush=True)


async def run(*words: str, environ: dict[str, str], folder: Path) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "plainloop", *words),
        env=environ,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    out, err = await process.communicate()
    if process.returncode not in (0, 1, 10):
        sys.exit(err.decode())
    return out.decode()
