"""A browser, once for all tests of a process; each has contexts of its own, which share nothing."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

# Debian's shell without windows takes half of the whole browser's processor time. Not by its script
# in `bin`, which starts it as a child: a signal would end the script only.
PROGRAMS = ("/usr/lib/chromium/chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAMS)), None)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio"),
    *("--hide-scrollbars", "--force-color-profile=srgb", "--no-first-run", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # A tab that nobody looks at works like the one that somebody does.
    *("--disable-background-timer-throttling", "--disable-renderer-backgrounding"),
    "--disable-backgrounding-occluded-windows",
    # Nor does it ask its user whether a page from elsewhere may reach this machine.
    # And no window loads two pages of the browser's own for its address line.
    "--disable-features=PaintHolding,LocalNetworkAccessChecks,WebUIOmniboxPopup,"
    "WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
    "--remote-debugging-port=0",
)
PATIENCE_S = 60


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where to reach it: one for all tests."""
    if CHROMIUM is None:
        pytest.skip("no Chromium here (Debian: apt-get install chromium)")
    folder = tmp_path_factory.mktemp("chromium")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield _find_address(process, folder / "DevToolsActivePort")
    finally:
        process.terminate()
        process.wait()


def _find_address(process: subprocess.Popen[bytes], file: Path) -> str:
    deadline = time.monotonic() + PATIENCE_S
    while not file.is_file() or len(lines := file.read_text().splitlines()) < 2:
        assert process.poll() is None, "Chromium ended as it began"
        assert time.monotonic() < deadline, "Chromium does not answer"
        time.sleep(0.01)
    return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
