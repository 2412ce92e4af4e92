"""The fixtures of all tests, those of `packages/` too."""

from __future__ import annotations

import importlib.util
import os
import sys

# Containers set it, and then each of the processes that the tests start compiles all it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

pytest_plugins = ["tests.fixtures"]
if importlib.util.find_spec("tests.wire_fixtures"):
    pytest_plugins.append("tests.wire_fixtures")
