"""The program that `docs/providers.md` shows, as somebody runs it who has the package only."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path

from tests.providers.local_server import Reply, run_local

ROOT = Path(__file__).parents[2]
PROGRAM = re.compile(r"(?<=^```python\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
ANSWER = b'{"choices": [{"message": {"content": "Hi!"}, "finish_reason": "stop"}]}'


async def run_python(source: str, **environ: str) -> str:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", source),
        cwd=ROOT,
        env={**os.environ, **environ},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await process.communicate()
    return said.decode()


async def test_the_documented_program_answers() -> None:
    (program,) = PROGRAM.findall((ROOT / "docs/providers.md").read_text(encoding="utf-8"))
    async with run_local(Reply(ANSWER)) as local:
        said = await run_python(program, OPENAI_API_KEY="k", OPENAI_BASE_URL=local.url)
    assert said == "Hi!\n"
    assert local.requests[0]["headers"]["authorization"] == "Bearer k"
