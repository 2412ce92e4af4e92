"""Pages of the site that `docs/` has none for: the API reference, made of docstrings, and the
examples with their files.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File  # pyright: ignore[reportMissingImports]

ROOT = Path(__file__).parents[1]
# Page: its title, what it is for, and whose public names it shows.
PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "packs": (
        "Packs",
        "What a pack declares. How they go together: [packs](../packs.md).",
        (
            *("agent.core.spec", "agent.provenance.marking", "agent.core.seams"),
            *("agent.config.settings.load_settings", "agent.config.values", "agent.packs.terminal"),
        ),
    ),
    "tools": (
        "Tools and routes",
        "What a tool, and a route of a pack, is given and gives back.",
        (
            "agent.core.tools",
            "agent.core.api",
            "agent.core.routes",
            "agent.store.database",
            "agent.store.sql_blocks",
        ),
    ),
    "designs": (
        "Designs",
        "What a node table is made of. How: [designs](../designs.md).",
        (
            *("agent.core.state", "agent.core.context", "agent.core.loop", "agent.core.llm"),
            *("agent.core.attempts", "agent.core.policy", "agent.core.history"),
            "agent.base.shown.trimming",
            "agent.core.answers",
            *("agent.designs.base", "agent.designs.interview", "agent.designs.parsing"),
        ),
    ),
    "types": (
        "Messages and models",
        "What models are asked, and say.",
        ("agent.types", "agent.base.messages.contents"),
    ),
    "events": ("Events", "What a run tells its viewers, in their order.", ("agent.events",)),
    "errors": ("Errors", "What is raised, and by which code it is told.", ("agent.errors",)),
    "embedding": (
        "Embedding and client",
        "The service inside a program of your own, and a client of a running one.",
        ("agent.service.opening", "agent.store.store", "agent.providers.registry", "client"),
    ),
}

EXAMPLES = ROOT / "examples"
SHOWN = (".sh", ".py", ".sql", ".toml", ".yaml", ".html", ".md")  # of an example; not its data
LONGEST = 6_000  # characters of a file that is shown


def on_startup(**_: Any) -> None:
    """Give griffe the package as a wheel has it: its folders in one, as files of its own, for it
    follows neither a `__path__` nor a link.
    """
    folder = ROOT / "build" / "reference"
    shutil.rmtree(folder, ignore_errors=True)
    python = shutil.ignore_patterns("*.sql", "*.toml", "*.md", "*.html", "template", "__pycache__")
    shutil.copytree(ROOT / "plainloop", folder / "plainloop", ignore=python)
    shutil.copytree(ROOT / "agent", folder / "plainloop" / "agent", ignore=python)


def on_files(files: Any, config: Any) -> Any:
    """Called by mkdocs with the pages that it found."""
    for name, (title, purpose, modules) in PAGES.items():
        shown = "\n\n".join(f"::: plainloop.{module}" for module in modules)
        content = f"# {title}\n\n{purpose}\n\n{shown}\n"
        files.append(File.generated(config, f"reference/{name}.md", content=content))
    files.append(File.generated(config, "examples.md", content=write_examples()))
    for path in sorted(ROOT.glob("packages/*/docs/*.md")):
        content = path.read_text(encoding="utf-8")
        name = f"{path.parts[-3]}/{path.name}"
        files.append(File.generated(config, name, content=content))
    return files


def write_examples() -> str:
    """The examples' own page, and below it what each folder holds."""
    shown = [
        re.sub(r"\]\((\w+)\)", r"](#\1)", (EXAMPLES / "README.md").read_text(encoding="utf-8"))
    ]
    for folder in sorted(item for item in EXAMPLES.iterdir() if item.is_dir()):
        shown.append(f"## {folder.name} {{ #{folder.name} }}")
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in SHOWN and path.stat().st_size < LONGEST:
                name, text = path.relative_to(EXAMPLES), path.read_text(encoding="utf-8").strip()
                shown.append(f'```{path.suffix[1:]} title="{name}"\n{text}\n```')
    return "\n\n".join(shown) + "\n"
