"""`plainloop learned`: what is remembered of triage is listed, forgotten, carried."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import msgspec

from plainloop.agent.base.text.cleaning import format_count
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.options import Owner
from plainloop.agent.cli.terminal.rendering import render_table
from plainloop.agent.config.pack_parts import list_installed, to_module_name
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.errors import InputError, NotFoundError
from plainloop.agent.intents.remembered.memory import RULE, make_template_id, make_vote
from plainloop.agent.store.learned.votes import NOBODY, build_vote, learn
from plainloop.agent.store.store import Store

from .learned_lines import LearnedLine, parse_lines, to_line
from .learned_rows import LearnedTemplate, delete_templates, list_templates

SHIPPED: Final = "learned.jsonl"
MAX_IMPORTED: Final = 10_000  # templates of a tenant that imports bring


async def print_learned(store: Store, owner: Owner, pack: str | None, *, as_json: bool) -> None:
    known = await _list(store, owner, pack)
    if as_json:
        found = [{"id": _name(item), **asdict(item)} for item in known]
        output.write_line(msgspec.json.encode(found).decode())
        return
    if not known:
        output.write_line("triage has learned nothing yet")
        return
    heads = ["id", "sentence", "answer", "whose", "state", "answers"]
    rows: list[list[str]] = []
    for item in known:
        users = "yours" if item.is_private else "imported" if not item.users else "all users"
        state = "dropped" if item.is_dropped else "known" if item.is_known else "learning"
        told = (_name(item), item.template, _describe_answer(item))
        rows.append([*told, users, state, str(item.uses)])
    output.write_lines(render_table(heads, rows))


async def forget_learned(
    store: Store, owner: Owner, pack: str | None, names: Sequence[str]
) -> None:
    """Delete learned sentences, and print how many.

    names: ids or their beginnings; empty: all. Raises: NotFoundError, InputError.
    """
    known = await _list(store, owner, pack)
    chosen = [_find(known, name) for name in names] if names else known
    async with store.transaction(owner.tenant_id) as tx:
        for item in chosen:
            await delete_templates(tx, item.pack, [item.template])
    output.write_line(f"forgotten: {format_count(len(chosen), 'sentence')}")


async def write_learned(store: Store, owner: Owner, pack: str | None, path: Path | None) -> None:
    """Write the learned sentences to a file, or to stdout.

    Raises: InputError.
    """
    known = await _list(store, owner, pack)
    lines = [to_line(item) for item in known if item.is_known and not item.is_dropped]
    if path is None:
        output.write_lines(lines)
        return
    _write_file(path, lines)
    output.write_status(f"{path}: {format_count(len(lines), 'sentence')}")


async def read_learned(tenant_id: str, path: Path | None) -> None:
    """Import learned sentences from a file, or from the packs.

    Raises: InputError for a file that is no export, or none at all; then nothing is changed.
    """
    settings = load_settings()
    files = _list_shipped(settings) if path is None else [path]
    if not files:
        raise InputError(f"no installed pack contains {SHIPPED}", hint="Name a file to import.")
    lines: list[LearnedLine] = []
    for file in files:
        try:
            lines += parse_lines(file.read_bytes().splitlines())
        except OSError as error:
            raise InputError(
                f"{file} cannot be read: {error.strerror}",
                hint="Check the path and the file's permissions.",
            ) from error
    if len(lines) > MAX_IMPORTED:
        raise InputError(
            f"the file has {len(lines):,} sentences; at most {MAX_IMPORTED:,} are allowed",
            hint="Split the file.",
        )
    async with open_store(settings) as store, store.transaction(tenant_id) as tx:
        votes = [(line, make_vote(line.to_template(), is_within=line.within)) for line in lines]
        most = (None, MAX_IMPORTED, 1)
        await learn(tx, [build_vote(NOBODY, line.pack, vote, *most) for line, vote in votes])
    output.write_status(f"{format_count(len(lines), 'sentence')} imported")


async def _list(store: Store, owner: Owner, pack: str | None) -> list[LearnedTemplate]:
    async with store.transaction(owner.tenant_id) as tx:
        return await list_templates(tx, owner.user_id, pack)


def _write_file(path: Path, lines: Sequence[str]) -> None:
    """Write lines to a file. Raises: InputError."""
    try:
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}",
            hint="Choose a folder that you can write to.",
        ) from error


def _find(known: Sequence[LearnedTemplate], name: str) -> LearnedTemplate:
    found = [item for item in known if _name(item).startswith(RULE + name.removeprefix(RULE))]
    if not found:
        raise NotFoundError(
            f"no such sentence: {name}", hint="`plainloop learned list` shows all sentences."
        )
    if len(found) > 1:
        raise InputError(
            f"several learned sentences have a name that starts with {name!r}",
            hint="Use --pack, or a longer name.",
        )
    return found[0]


def _list_shipped(settings: Settings) -> list[Path]:
    found: list[Path] = []
    for name in settings.agent.packs or list_installed():
        spec = importlib.util.find_spec(to_module_name(name))
        if spec is not None and spec.origin is not None:
            path = Path(spec.origin).with_name(SHIPPED)
            found += [path] if path.is_file() else []
    return found


def _name(item: LearnedTemplate) -> str:
    return RULE + make_template_id(item.template)


def _describe_answer(item: LearnedTemplate) -> str:
    """Describe a learned answer as one line: its worker, or its query.

    >>> told = [*("tracker", "hi"), {"worker": "general"}, "", *(3, 1), *(True,) * 3, False, 0]
    >>> _describe_answer(LearnedTemplate(*told))
    'general'
    """
    answer = item.answer
    if "worker" in answer:
        return str(answer["worker"])
    filters = " ".join(f"{f['field']}={f['value']}" for f in answer.get("filters", []))
    return f"{answer.get('fast_intent')} {answer.get('entity_type')} {filters}".strip()
