"""`python -m scripts.benchmarks [command] [options]`; without a command: flows."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from textwrap import fill
from types import ModuleType

from scripts import benchmarks

DEFAULT = "flows"


def main(argv: list[str]) -> None:
    commands = [item.name for item in pkgutil.iter_modules(benchmarks.__path__) if not item.ispkg]
    commands.remove("__main__")
    if argv[:1] in (["-h"], ["--help"]):
        print_overview(commands)
        return
    name, rest = (DEFAULT, argv) if not argv or argv[0].startswith("-") else (argv[0], argv[1:])
    if name not in commands:
        sys.exit(f"bench: no benchmark {name!r}; there are: {', '.join(commands)}")
    load(name).main(rest)


def print_overview(commands: list[str]) -> None:
    """What there is, in the first words of each."""
    print("usage: bench [benchmark] [options]; without one: flows\n")
    for name in commands:
        said = " ".join((load(name).__doc__ or "").split("\n\n")[0].split())
        print(fill(said.partition(". ")[0].rstrip(".:;"), 100, subsequent_indent="    "))
    print("\n`bench <benchmark> --help` has the options.")


def load(name: str) -> ModuleType:
    return importlib.import_module(f"{benchmarks.__name__}.{name}")


if __name__ == "__main__":
    main(sys.argv[1:])
