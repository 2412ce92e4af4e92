"""The fixtures of all tests, those of `packages/` too."""

from __future__ import annotations

import importlib.util

pytest_plugins = ["tests.fixtures"]
if importlib.util.find_spec("tests.wire_fixtures"):
    pytest_plugins.append("tests.wire_fixtures")
