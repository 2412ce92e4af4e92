"""`bench console`: input delay and layout shift while an answer streams, in a real browser.

Someone types into the message box, first while nothing streams, then while a long answer does. The
input delay of a key is the time until the page hears of it. It needs what `./scripts/packages`
fetches. The console's specification wants p95 <= 50 ms and a cumulative layout shift < 0.02.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys

from playwright.async_api import Page, expect

from tests.console.conftest import SAID, Look
from tests.console.test_streaming import TYPED, WATCH, stream
from tests.server.conftest import Served, begin, until

HEAR = """() => document.addEventListener("keydown",
    (event) => window.delays.push(performance.now() - event.timeStamp), { capture: true })"""
pytest_plugins = ["tests.console.conftest"]
OPTIONS = {"tokens": 6_000, "rate": 200, "keys": 400}


def main(argv: list[str]) -> None:
    """Run the measurement below, which stands on the tests' fixtures, by pytest."""
    parser = argparse.ArgumentParser("bench console", description=__doc__)
    for name, default in OPTIONS.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    for name, value in vars(parser.parse_args(argv)).items():
        os.environ[_to_variable(name)] = str(value)
    pytest = [sys.executable, "-m", "pytest", "-q", "-s", "-n", "0"]
    sys.exit(subprocess.call([*pytest, "-o", "python_functions=measure_*", __file__]))


async def measure_typing_while_an_answer_streams(served: Served, look: Look) -> None:
    """Print p50, p95 and the maximum of the input delay, and the layout shift."""
    tokens, rate, keys = (
        int(os.environ.get(_to_variable(name), default)) for name, default in OPTIONS.items()
    )
    stream(served, tokens, rate)
    chat = await begin(await served.client())
    viewer = await look(served, f"/#/chat/{chat}")
    page = viewer.page
    await expect(page.locator(SAID)).to_be_visible()
    await expect(page.locator(".two-sided")).to_have_count(0)
    await page.evaluate(WATCH)
    await page.evaluate(HEAR)
    print(f"\n{tokens} tokens at {rate} a second, {keys} keys in each row")
    print("input delay, ms          p50      p95      max")
    await type_keys(page, keys, "nothing streams")
    await page.locator(SAID).fill("")
    await viewer.say("tell me a story about work")
    await until(lambda: page.evaluate("document.documentElement.scrollHeight > 3 * innerHeight"))
    await type_keys(page, keys, "an answer streams")
    is_over = await page.locator(".message.assistant:not(.live)").count() > 0
    print(f"cumulative layout shift  {await page.evaluate('window.shift'):.4f}")
    if is_over:
        print("The answer ended before the last key: choose more tokens or fewer keys.")


async def type_keys(page: Page, keys: int, title: str) -> None:
    typed = (TYPED * (keys // len(TYPED) + 1))[:keys]
    await page.evaluate("window.delays = []")
    await page.locator(SAID).press_sequentially(typed, delay=20)
    delays = sorted(await page.evaluate("window.delays"))
    p50, p95 = (delays[int(len(delays) * share)] for share in (0.5, 0.95))
    print(f"{title:20}{p50:8.1f} {p95:8.1f} {delays[-1]:8.1f}")


def _to_variable(name: str) -> str:
    return f"PLAINLOOP_BENCH_CONSOLE_{name.upper()}"
