"""The machine: Python, packages, the data directory, token counting."""

from __future__ import annotations

import asyncio
import platform
import re
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, requires, version
from typing import Final

from ..base.extras import is_installed
from ..base.tokens.ranks import ENCODING, choose_rank_file, find_rank_file, load_counter
from ..config.settings import Settings
from ..store.connecting.settings import DatabaseSettings
from .findings import Finding

MIN_PYTHON: Final = (3, 11)
_SHOWN_PACKAGES: Final = ("anthropic", "openai", "google-genai", "asyncpg")
_PACKAGE_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")


def check_python() -> list[Finding]:
    """Report Python's version and platform, as a failure if the version is too old."""
    text = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info >= MIN_PYTHON:
        return [Finding("ok", "python", f"{text} · {sys.executable}")]
    return [Finding("fail", "python", text, "Python 3.11 or later is needed.")]


def check_packages() -> list[Finding]:
    """Check that the required packages are installed, without importing them."""
    # A missing extra is no fault: the feature that needs the extra names it.
    needed = [line for line in requires("plainloop") or [] if "extra ==" not in line]
    names = [match[0] for line in needed if (match := _PACKAGE_NAME.match(line))]
    missing = [name for name in names if _get_version(name) is None]
    if missing:
        todo = "Run ./scripts/setup, or install plainloop again."
        return [Finding("fail", "packages", f"missing: {', '.join(missing)}", todo)]
    versions = {name: _get_version(name) for name in _SHOWN_PACKAGES}
    shown = ", ".join(f"{name} {number}" for name, number in versions.items() if number)
    return [Finding("ok", "packages", f"{len(names)} of {len(names)} installed · {shown}")]


def _get_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


async def check_data_dir(settings: Settings) -> list[Finding]:
    """Check that files can be written to the data directory, by writing one."""
    folder = settings.data_dir
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Write a file instead of reading its mode, which says nothing of a quota or a mount.
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        # With a database elsewhere only the chat's history and exports are lost.
        level = "fail" if settings.get_table(DatabaseSettings).url is None else "warn"
        text = f"{folder} cannot be written: {error.strerror or error}"
        todo = "Set AGENT_DATA_DIR to a directory that you can write to."
        return [Finding(level, "data", text, todo)]
    return [Finding("ok", "data", f"{folder} is writable")]


async def check_tokens(settings: Settings) -> list[Finding]:
    """Report whether tiktoken or our own estimator counts tokens before a call."""
    installed, used = find_rank_file(settings), choose_rank_file(settings)
    text = "the provider counts tokens; before a call, they are estimated by "
    if used is not None:
        await asyncio.to_thread(load_counter, used)  # says what is wrong with it
        return [Finding("ok", "tokens", f"{text}tiktoken with {used}")]
    text += "the built-in estimator"
    if installed is not None:
        todo = f"Replace the file with a complete {ENCODING}.tiktoken."
        return [Finding("warn", "tokens", f"{text}: {installed} is not a tiktoken rank file", todo)]
    todo = (
        "Optional, for exact counts of OpenAI's models: set AGENT_TOKEN_RANKS to "
        f"a copy of {ENCODING}.tiktoken, which plainloop never downloads."
    )
    if not is_installed("tiktoken"):
        text, todo = f"{text} (tiktoken is not installed)", "pip install 'plainloop[tiktoken]'"
        return [Finding("note", "tokens", text, f"Optional, for exact counts: {todo}.")]
    return [Finding("note", "tokens", f"{text} (tiktoken has no rank file)", todo)]
