"""Changed copies of what is served: each change is harmful or harmless by what it is, not by what
anybody finds.

A harmful one changes what a model is sent, which way a turn takes, what a step keeps, whom a tool
asks, or what older replicas write and read. A harmless one changes none of them.
"""

from __future__ import annotations

import ast
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[4]
SERVED = ("agent", "migrations", "plainloop", "server", "tests/tracker")
ROOMS = ("core", "designs", "evaluators", "intents", "packs", "routers", "store", "workers")
WORDS = ("never", "always", "briefly", "twice")
Change = Callable[[random.Random, Path], dict[str, str]]


def copy_served(folder: Path) -> Path:
    """What a replica is made of, with what Python compiled of it."""
    for name in SERVED:
        shutil.copytree(ROOT / name, folder / name)
    shutil.copytree(ROOT / "packages/lab/plainloop_lab", folder / "plainloop_lab")
    shutil.copy2(ROOT / "tests" / "__init__.py", folder / "tests")
    return folder


def copy_tree(tree: Path, folder: Path) -> Path:
    """A copy that shares its files until one is written anew."""
    return Path(shutil.copytree(tree, folder, copy_function=os.link))


def write(path: Path, text: str) -> None:
    path.unlink(missing_ok=True)  # the other copies keep theirs
    path.write_text(text, encoding="utf-8")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{path.name} has no {old!r} any more: another change is needed"
    write(path, text.replace(old, new, 1))


def replacing(file: str, old: str, new: str) -> Change:
    """The change of one text in one file."""

    def change(chance: random.Random, tree: Path) -> dict[str, str]:
        edit(tree / file, old, new)
        return {}

    return change


def setting(name: str, value: str) -> Change:
    return lambda chance, tree: {f"AGENT_{name}": value}


def migrating(sql: str) -> Change:
    """A migration more; {n} in it is a number of its own."""

    def change(chance: random.Random, tree: Path) -> dict[str, str]:
        n = chance.randrange(10**9)
        write(tree / "migrations" / f"9000_core_changed_{n}.sql", sql.format(n=n))
        return {}

    return change


def add_word(file: str, prompt: str) -> Change:
    """A word more, anywhere in a prompt."""

    def change(chance: random.Random, tree: Path) -> dict[str, str]:
        words = prompt.split(" ")
        words.insert(chance.randrange(1, len(words)), chance.choice(WORDS))
        edit(tree / file, prompt, " ".join(words))
        return {}

    return change


def list_files(tree: Path) -> list[Path]:
    found = (tree / "agent" / room for room in ROOMS)
    return sorted(path for room in found for path in room.rglob("*.py"))


def add_comment(chance: random.Random, tree: Path) -> dict[str, str]:
    path = chance.choice(list_files(tree))
    write(path, f"{path.read_text()}\n# {chance.choice(WORDS)}\n")
    return {}


def add_log_line(chance: random.Random, tree: Path) -> dict[str, str]:
    """A line in the log whenever a module is imported, or a function of it begins."""
    path = chance.choice(list_files(tree))
    line = "import logging as _logging\n_logging.getLogger(__name__).info('changed')\n"
    write(path, f"{path.read_text()}\n{line}")
    return {}


def list_own_functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Private functions of the module's own."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    body = ast.parse(path.read_text()).body
    return [item for item in body if isinstance(item, kinds) and re.match(r"_[a-z]", item.name)]


def choose_function(chance: random.Random, tree: Path) -> tuple[Path, str]:
    """A private function whose name stands in no other file."""
    files = list_files(tree)
    while True:
        path = chance.choice(files)
        own = [item for item in list_own_functions(path) if not item.decorator_list]
        if not own:
            continue
        name = chance.choice(own).name
        word = re.compile(rf"\b{name}\b")
        if not any(word.search(other.read_text()) for other in files if other != path):
            return path, name


def rename_function(chance: random.Random, tree: Path) -> dict[str, str]:
    path, name = choose_function(chance, tree)
    write(path, re.sub(rf"\b{name}\b", f"{name}_renamed", path.read_text()))
    return {}


def add_argument(chance: random.Random, tree: Path) -> dict[str, str]:
    """An optional argument that nothing gives."""
    while True:
        path, name = choose_function(chance, tree)
        text = path.read_text()
        head = re.search(rf"def {name}\(([^()*]*?),?\s*\)", text)
        if head is not None and "=" not in head[1]:
            told = f"{head[1]}, " if head[1] else ""
            write(path, text.replace(head[0], f"def {name}({told}_unused: int = 0)", 1))
            return {}


TOOLS, PACK = "tests/tracker/tools.py", "tests/tracker/pack.py"
WORKER = "agent/workers/_base_worker.py"
_SAID = 'update: Update = {"messages": [message], "tokens": count_tokens_used(response.usage)}'

HARMFUL: dict[str, Change] = {
    "rule: a deletion asks nobody": replacing(
        TOOLS, '@tool("write", needs_approval=True, ask', '@tool("write", ask'
    ),
    "node: an answer is dropped": replacing(WORKER, _SAID, 'update: Update = {"tokens": 1}'),
    "migration: a column gets another name": migrating(
        "alter table threads rename column tags to labels"
    ),
    "prompt: a worker's": add_word(PACK, "You keep the user's job tracker with your tools."),
    "schema: an argument gets another name": replacing(
        TOOLS,
        "company: str,\n    title: str,\n    status: S",
        "firm: str,\n    title: str,\n    status: S",
    ),
    "setting: no model sorts requests": setting("TRIAGE", "false"),
    "schema: an argument is not required any more": replacing(
        TOOLS, "    title: str,\n    status: Status =", "    title: str = '',\n    status: Status ="
    ),
    "schema: another value": replacing(TOOLS, '"offer", "rejected"]', '"offer", "lost"]'),
    "schema: told otherwise": replacing(
        TOOLS, '"""Save a job in the tracker."""', '"""Save a job."""'
    ),
    "schema: a tool is gone": replacing(
        TOOLS,
        "(create_job, list_jobs, update_job, delete_job)",
        "(create_job, list_jobs, delete_job)",
    ),
    "rule: nobody reviews": replacing(PACK, 'evaluate="always"', 'evaluate="never"'),
    "rule: a creation asks": replacing(TOOLS, 'undone_by="delete_job"', "needs_approval=True"),
    "rule: an answer without a model is worded otherwise": replacing(
        "agent/routers/fast_answers.py",
        'return f"You have {_count(nouns, total)}{d',
        'return f"There are {_count(nouns, total)}{d',
    ),
    "rule: more is reviewed": replacing(PACK, 'evaluate="auto"', 'evaluate="always"'),
    "prompt: a worker's, of letters": add_word(PACK, "You write letters."),
    "prompt: what triage knows of a worker": add_word(
        PACK, "save, change, move, delete, list or show jobs in the tracker"
    ),
    "node: tools are not called": replacing(WORKER, 'return f"{spec.name}.tools"', "return END"),
    "node: a tool's result is dropped": replacing(
        WORKER,
        'update: Update = {"messages": [message]}\n        if data',
        "update: Update = {}\n        if data",
    ),
    "node: it raises": replacing(
        WORKER,
        "        view = trim_messages(",
        '        {}["no such key"]\n        view = trim_messages(',
    ),
    "node: history is forgotten": replacing(
        "agent/core/policy.py",
        "    if excess <= 0:\n        return messages\n    seen",
        "    if excess <= 0:\n        return messages[-1:]\n    seen",
    ),
    "setting: answers are shorter": setting("LIMITS_MAX_OUTPUT_TOKENS", "700"),
    "setting: results are cut": setting("LIMITS_TOOL_RESULT_TOKENS", "5"),
    "setting: fewer turns": setting("LIMITS_WORKER_TURNS", "1"),
    "migration: a table is gone": migrating("drop table prompt_texts cascade"),
    "migration: what is written is refused": migrating(
        "alter table threads add check (length(title) < 3) not valid"
    ),
    "migration: a default is gone": migrating("alter table runs alter column tags drop default"),
    "migration: it fails": migrating("alter table no_such_table add column a text"),
}
HARMLESS: dict[str, Change] = {
    "node: a comment": add_comment,
    "node: a private function gets another name": rename_function,
    "migration: an index": migrating("create index on threads (tenant_id, created_at, title)"),
    "node: a line in the log": add_log_line,
    "node: an optional argument that nothing gives": add_argument,
    "setting: rows of a page": setting("LIMITS_PAGE_ROWS", "50"),
    "prompt: a comment beside it": replacing(
        PACK, "        default_worker=", "        # says who\n        default_worker="
    ),
    "rule: in other words, the same": replacing(
        TOOLS, "needs_approval=True", "needs_approval=not False"
    ),
    "migration: a table": migrating("create table hats_{n} (size int not null)"),
    "migration: a column that may be null": migrating(
        "alter table threads add column hat_{n} text"
    ),
    "migration: a column with a default": migrating(
        "alter table threads add column hat_{n} text not null default 'none'"
    ),
    "tool: its inside": replacing(
        TOOLS,
        "    if not changed:\n",
        "    changed = dict(sorted(changed.items()))\n    if not changed:\n",
    ),
    "schema: in another order": replacing(
        TOOLS,
        "(create_job, list_jobs, update_job, delete_job)",
        "(delete_job, update_job, list_jobs, create_job)",
    ),
    "pack: a title": replacing(PACK, 'title="Tracker"', 'title="The tracker"'),
    "setting: a longer drain": setting("LIMITS_APPROVAL_S", "90000"),
}
