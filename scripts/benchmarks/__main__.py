"""`python -m scripts.benchmarks [command] [options]`; without a command: flows."""

from __future__ import annotations

import importlib
import pkgutil
import sys

from scripts import benchmarks

DEFAULT = "flows"


def main(argv: list[str]) -> None:
    commands = [item.name for item in pkgutil.iter_modules(benchmarks.__path__) if not item.ispkg]
    commands.remove("__main__")
    name, rest = (DEFAULT, argv) if not argv or argv[0].startswith("-") else (argv[0], argv[1:])
    if name not in commands:
        sys.exit(f"bench: no benchmark {name!r}; there are: {', '.join(commands)}")
    importlib.import_module(f"{benchmarks.__name__}.{name}").main(rest)


main(sys.argv[1:])
