"""The fixtures of all tests, those of `packages/` too."""

from __future__ import annotations

import gc
import importlib.util
import os
import sys

import pytest

# Containers set it, and then each of the processes that the tests start compiles all it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Nothing is garbage yet: looking is a fifth of the time in which thousands of tests are found.
gc.disable()

pytest_plugins = ["tests.fixtures", "tests.browsers"]
if importlib.util.find_spec("tests.wire_fixtures"):
    pytest_plugins.append("tests.wire_fixtures")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop() -> None:
    gc.freeze()
    gc.enable()
