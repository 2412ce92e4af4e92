"""What `plainloop demo` does, step by step: the commands that it shows are those that it runs."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
import webbrowser
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from plainloop.agent.cli.terminal import output
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError, ServiceUnavailable
from plainloop.agent.packs.commands import LOCAL
from plainloop.agent.providers.pricing import LIST_PRICES
from plainloop.agent.service.opening import open_service
from plainloop.agent.types import Usage

from .options import Options
from .pack import FOLDER, PROMPT, WORKER
from .talks import TALKS, list_talks

PLAINLOOP: Final = (sys.executable, "-P", "-m", "plainloop")
PACK: Final = "plainloop_lab.demo"
PRICED_AS: Final = ("openai", "gpt-6-luna")  # what the same tokens would cost there
CHEAPER: Final = "cheaper-rules"  # of plainloop.toml
_ADDRESS: Final = re.compile(r"https?://[\w.:\[\]-]{1,100}")
_REPLAY: Final = re.compile(r"replay ([0-9a-f-]{36})")
_SHOWN_DIFF: Final = 8
STOP_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Stage:
    """Holds the demo's files, and the environment of the commands that it runs."""

    folder: Path
    environ: dict[str, str]
    settings: Settings

    async def run(self, *arguments: str, **environ: str) -> tuple[int, str, str]:
        """Print and run one `plainloop` command.

        Returns (exit code, stdout, stderr).
        """
        shown = " ".join(item.replace(f"{self.folder}/", "") for item in arguments)
        output.write_line(f"  $ plainloop {shown}")
        process = await self.start(*arguments, **environ)
        out, err = await process.communicate()
        return await process.wait(), out.decode(), err.decode()

    async def start(self, *arguments: str, **environ: str) -> Process:
        """Start a `plainloop` command with the demo's environment and folder."""
        return await asyncio.create_subprocess_exec(
            *PLAINLOOP,
            *arguments,
            stdout=PIPE,
            stderr=PIPE,
            env={**self.environ, **environ},
            cwd=self.folder,
        )


_NEXT: Final = """\
now with your own data:
  plainloop new desk                        a pack with a table, tools and a test
  plainloop import langfuse traces.jsonl    what you have elsewhere
  plainloop replay live --prompts DIR --report now    another prompt or model"""


async def run_demo(options: Options) -> None:
    """Run the demo: record conversations, break the prompt, replay, compare, and show the result.

    Raises: InputError for a line that the prompt has not, or a folder to keep that has files.
    """
    changed = read_changed(options)
    async with _open_stage(options.keep) as stage:
        prompts = stage.folder / "prompts"
        prompts.mkdir(exist_ok=True)
        (prompts / f"{WORKER}.md").write_text(changed, encoding="utf-8")
        # As long as this is open, the database is there for the commands too.
        async with open_service(stage.settings) as service:
            output.write_line(
                f"1. {TALKS} conversations with a small shop are recorded; fixed rules answer"
            )
            for said in list_talks():
                thread = await service.ensure_thread(LOCAL, LOCAL, None, said[0])
                for text in said:
                    await service.answer(LOCAL, LOCAL, thread.thread_id, text, lambda event: None)
            output.write_line(
                "2. the conversations are replayed through today's code, without network or tokens"
            )
            code, out, err = await stage.run("replay", "recorded")
            _require(code in (0, 1), err)
            output.write_line(f"     {out.splitlines()[0]}")
            await _replay_changed(stage, prompts, options)
            replay_id = await _replay_live(stage, prompts)
            await _judge(stage)
            await advise(stage)
            if not options.once:
                await _serve(stage, replay_id, opens=options.opens)
        output.write_lines(_NEXT.splitlines())
        if options.keep is not None:
            output.write_line(
                f"commands in {stage.folder} use the demo's conversations, for example"
            )
            output.write_line(f"  plainloop advise --into more --candidate {CHEAPER} --plan")


def read_changed(options: Options) -> str:
    """Return the changed prompt of the demo.

    It is another prompt's file, or the demo's prompt without the lines that contain a text. Raises:
    InputError.
    """
    if options.prompt is not None:
        try:
            return options.prompt.read_text(encoding="utf-8")
        except OSError as error:
            raise InputError(
                f"{options.prompt} cannot be read: {error.strerror}",
                hint="Check the path; it is a text file.",
            ) from error
    lines = (FOLDER / "prompt.md").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if options.without.lower() not in line.lower()]
    if len(kept) == len(lines) or not options.without.strip():
        hint = "Its lines: " + "; ".join(
            line.removeprefix("- ") for line in lines if line.startswith("- ")
        )
        raise InputError(f"the prompt has no line that contains {options.without!r}", hint=hint)
    return "\n".join(kept)


@asynccontextmanager
async def _open_stage(keep: Path | None) -> AsyncGenerator[Stage]:
    if keep is not None:
        refuse_used(keep)
    folder = Path(tempfile.mkdtemp(prefix="plainloop-demo-")) if keep is None else keep
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    environ = make_environ(os.environ, folder)
    shutil.copyfile(FOLDER / "plainloop.toml", environ["AGENT_CONFIG"])
    try:
        yield Stage(folder, environ, load_settings(environ))
    finally:
        if keep is None:
            shutil.rmtree(folder, ignore_errors=True)


def refuse_used(folder: Path) -> None:
    """Refuse a folder that has files.

    The demo writes its own plainloop.toml and prompts there. Raises: InputError.
    """
    try:
        is_used = folder.exists() and any(folder.iterdir())
    except OSError as error:
        raise InputError(
            f"cannot read {folder}: {error.strerror}", hint="Name a new folder with --keep."
        ) from error
    if is_used:
        raise InputError(
            f"{folder} is not empty, and the demo would replace files in it",
            hint="Name a new folder with --keep.",
        )


def make_environ(environ: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the environment for the demo's commands.

    Variables are left out that would change the demo or cost money.
    """
    kept = {
        name: value
        for name, value in environ.items()
        if not name.startswith("AGENT_")
        and not name.endswith("_API_KEY")
        and name != "DATABASE_URL"
    }
    return kept | {
        "AGENT_CONFIG": str(folder / "plainloop.toml"),
        "AGENT_DATA_DIR": str(folder / "data"),
        "AGENT_PACKS": PACK,
        "AGENT_PROVIDER": "offline",
        "COLUMNS": "100",
    }


async def _replay_changed(stage: Stage, prompts: Path, options: Options) -> None:
    line = options.prompt or f"the line with “{options.without}”"
    lost = "the prompt becomes" if options.prompt else "the prompt loses"
    output.write_line(f"3. {lost} {line}: which recordings differ?")
    code, out, err = await stage.run(
        "replay", "recorded", **{PROMPT: str(prompts / f"{WORKER}.md")}
    )
    _require(code in (0, 1), err)
    told = out.splitlines()
    counted = next((line for line in told if line.startswith(f"{TALKS} conversations")), "")
    for line in [counted, *told[:_SHOWN_DIFF]]:
        output.write_line(f"     {line}".rstrip())


async def _replay_live(stage: Stage, prompts: Path) -> str:
    output.write_line("4. the same conversations with the old and the new prompt; no tool writes")
    report = ("--report", str(stage.folder / "report"))
    code, _, err = await stage.run("replay", "live", "--prompts", str(prompts), *report)
    found = _REPLAY.search(err)
    _require(code == 0 and found is not None, err)
    summary = json.loads((stage.folder / "report" / "report.json").read_bytes())["summary"]
    output.write_lines(f"     {line}" for line in list_differences(summary))
    return found[1] if found else ""


def list_differences(summary: Mapping[str, Any]) -> list[str]:
    """List what the changed prompt did differently, and what both prompts would cost."""
    refused = (item for item in summary["not_executed"] if item["lane"] == "candidate")
    lines = [f"{one['tool']} was called {one['calls']} times, and not executed" for one in refused]
    for row in summary["measures"]:
        if row["name"] in ("same_tools", "calls"):
            before, now = (row["lanes"].get(lane, {}) for lane in ("baseline", "candidate"))
            lines.append(f"{row['title']}: {_word(before)} → {_word(now)}")
    prices: list[str] = []
    for lane in ("baseline", "candidate"):
        sums = {row["name"]: row["lanes"].get(lane, {}) for row in summary["measures"]}
        used = [int(sums[name].get("total") or 0) for name in ("input_tokens", "output_tokens")]
        cost = LIST_PRICES.price(*PRICED_AS, Usage(input_tokens=used[0], output_tokens=used[1]))
        prices.append(f"${float(cost.amount or 0):.5f}")
    told = " → ".join(prices)
    lines.append(
        f"cost: no model was called; at {PRICED_AS[1]}'s prices {told} for all conversations"
    )
    return lines


def _word(told: Mapping[str, Any]) -> str:
    return "–" if told.get("mean") is None else f"{told['mean']:.2f} a turn"


async def _judge(stage: Stage) -> None:
    output.write_line("5. may the new prompt go live? rules.toml says what must not get worse")
    shutil.copyfile(FOLDER / "rules.toml", stage.folder / "rules.toml")
    arguments = (str(stage.folder / "rules.toml"), "--candidate", str(stage.folder / "report"))
    code, out, err = await stage.run("gate", *arguments)
    _require(code in (0, 1, 10), err)
    for line in out.splitlines():
        output.write_line(f"     {line}")
    output.write_line(f"     exit code {code}: a CI pipeline stops unless it is 0")


async def advise(stage: Stage) -> None:
    """Run `plainloop advise` in the demo.

    The offline rules count as two models, because they are named with two prices.
    """
    output.write_line("6. would a cheaper model do? plainloop.toml gives the rules two prices")
    chosen = ("--candidate", CHEAPER, "--margin", "30pp", "--max-cost-usd", "1")
    code, out, err = await stage.run("advise", "--into", str(stage.folder / "advice"), *chosen)
    _require(code in (0, 1, 10), err)
    lines = out.splitlines()
    for line in lines[: lines.index("doubts:") - 1]:
        output.write_line(f"     {line}".rstrip())


async def _serve(stage: Stage, replay_id: str, *, opens: bool) -> None:
    """Serve the console until Ctrl-C, and print the link to the replay."""
    server = await stage.start("serve", "--port", "0")
    try:
        address = await _read_address(server)
        page = f"{address}/#/lab.experiments/{replay_id}"
        output.write_line(f"7. the console, side by side: {page}")
        output.write_line("     Ctrl-C quits and deletes the demo's files; --keep DIR keeps them")
        if opens:
            webbrowser.open(page)
        await server.wait()
    except asyncio.CancelledError:
        pass
    finally:
        if server.returncode is None:
            server.terminate()
            try:
                await asyncio.wait_for(server.wait(), STOP_S)
            except TimeoutError:
                server.kill()


async def _read_address(server: Process) -> str:
    assert server.stdout is not None and server.stderr is not None
    while line := await server.stdout.readline():
        if found := _ADDRESS.search(line.decode()):
            return found[0]
    _require(False, (await server.stderr.read()).decode())
    raise AssertionError


def _require(is_met: bool, said: str) -> None:
    if not is_met:
        raise ServiceUnavailable(
            f"the demo's command failed: {said.strip()[-500:]}",
            hint="`plainloop doctor` checks the installation.",
        )
