"""`python -m plainloop`, the same as the `plainloop` command."""

from __future__ import annotations

from plainloop.agent.cli import main

main()
