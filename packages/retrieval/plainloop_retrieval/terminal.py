"""What `plainloop knowledge` does."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from plainloop.agent.base.text.cleaning import cut_text, format_count
from plainloop.agent.cli.terminal import output
from plainloop.agent.cli.terminal.opening import open_store
from plainloop.agent.cli.terminal.serving import open_service
from plainloop.agent.config.pack_parts import list_installed
from plainloop.agent.config.settings import Settings, load_settings
from plainloop.agent.core.seams import RunView
from plainloop.agent.errors import InputError
from plainloop.agent.packs.commands import LOCAL
from plainloop.agent.packs.loading import load_packs, load_served_packs
from plainloop.agent.packs.terminal import Terminal
from plainloop.agent.store.admin.audit import Actor, name_account

from .indexing import (
    Change,
    check_tenant,
    embed_missing,
    index_files,
    list_files,
    parse_name,
    remove_document,
    remove_gone,
)
from .knowledge import Knowledge, choose_knowledge, list_knowledge
from .measuring import SAMPLE, load_questions
from .measuring import measure as measure_search
from .search import find_embedding_model, find_passages, list_tenants
from .source import SHARED, DocumentSource
from .store import count_missing, list_documents

SHOWN_CHARS = 160  # of a passage that was found
SOURCES = dict[str, Path | bytes]


async def add(
    terminal: Terminal,
    paths: list[str],
    tenant_id: str,
    collection: str | None,
    *,
    is_outside: bool,
) -> None:
    """Add files to a tenant's documents, and print what changed.

    Raises: InputError for the first path that does not exist, before anything is stored; for files
    that cannot be read, after the others were added.
    """
    files = find_sources(terminal, paths)
    settings, knowledge = choose(collection)
    async with open_context(settings, check_tenant(tenant_id)) as ctx:
        changed, refused = await store_files(
            terminal, ctx, knowledge, tenant_id, files, is_outside=is_outside, actor=name_account()
        )
        try:
            await make_vectors(ctx, knowledge, tenant_id)
        finally:
            db = ctx.store.read(tenant_id)
            for row in await list_documents(db, knowledge.collection):
                if row["name"] in changed:
                    terminal.say(describe(row))
    raise_refused(refused)


async def index(terminal: Terminal, tenant_id: str, collection: str | None) -> None:
    """Index the pack's documents, delete those no longer shipped, and create missing vectors.

    Raises: InputError for files that cannot be read, after the others were indexed.
    """
    settings, knowledge = choose(collection)
    refused: list[InputError] = []
    async with open_context(settings, check_tenant(tenant_id)) as ctx:
        if knowledge.folder is not None:
            files: SOURCES = {**list_files(knowledge.folder)}
            _, refused = await store_files(terminal, ctx, knowledge, SHARED, files)
            gone = await remove_gone(ctx.store, knowledge, files)
            for name in gone:
                terminal.say(f"removed {name}")
        for owner in list_tenants(ctx, knowledge):
            await make_vectors(ctx, knowledge, owner)
        model, reason = await find_embedding_model(ctx)
        terminal.remark(f"vectors by {model}" if model else f"searching by words only: {reason}")
    raise_refused(refused)


async def list_all(terminal: Terminal, tenant_id: str, collection: str | None) -> None:
    """Print the documents of the tenant and of the pack."""
    settings, knowledge = choose(collection)
    async with open_store(settings) as store:
        rows = await list_documents(store.read(check_tenant(tenant_id)), knowledge.collection)
        if knowledge.folder is not None:
            shared = await list_documents(store.read(SHARED), knowledge.collection)
            rows += [{**row, "is_shared": True} for row in shared]
    for row in rows:
        terminal.say(describe(row))
    if not rows:
        terminal.remark("there are no documents yet; `plainloop knowledge add FILE` adds one")


async def remove(
    terminal: Terminal, names: list[str], tenant_id: str, collection: str | None
) -> None:
    """Delete documents of a tenant.

    Raises: NotFoundError at the first unknown name.
    """
    settings, knowledge = choose(collection)
    async with open_store(settings) as store:
        for name in names:
            await remove_document(store, tenant_id, knowledge, name, name_account())
            terminal.say(f"removed {name}")


async def search(terminal: Terminal, query: str, tenant_id: str, collection: str | None) -> None:
    """Print the passages that a search finds."""
    settings, knowledge = choose(collection)
    async with open_context(settings, check_tenant(tenant_id)) as ctx:
        found = await find_passages(ctx, knowledge, query)
    for row in found.rows:
        terminal.say(describe_passage(row))
    if not found.rows:
        terminal.say("nothing was found")
    if found.words_alone:
        terminal.remark(f"searched by words only: {found.words_alone}")


async def measure(
    terminal: Terminal, path: Path | None, tenant_id: str, collection: str | None
) -> None:
    """Print the scores of each way of searching.

    Raises: InputError without questions.
    """
    questions = load_questions(path or SAMPLE / "questions.jsonl")
    settings, knowledge = choose(collection)
    check_tenant(tenant_id)
    async with open_context(settings, tenant_id) as ctx:
        if path is None:
            knowledge = DocumentSource("*sample*")
            files: SOURCES = {**list_files(SAMPLE / "documents")}
            await index_files(ctx, knowledge, tenant_id, files.items())
        try:
            await make_vectors(ctx, knowledge, tenant_id)
            with terminal.progress("asking …"):
                scores, words_alone = await measure_search(ctx, knowledge, questions)
        finally:
            if path is None:
                for name in list_files(SAMPLE / "documents"):
                    await remove_document(ctx.store, tenant_id, knowledge, name)
    terminal.say(f"{format_count(len(questions), 'question')}    first  found  1/place")
    for score in scores:
        numbers = f"{score.first:.2f}   {score.among:.2f}   {score.reciprocal_rank:.2f}"
        terminal.say(f"by {score.way:<13} {numbers}")
    if words_alone:
        terminal.remark(f"by meaning: not possible ({words_alone})")


def choose(collection: str | None) -> tuple[Settings, Knowledge]:
    """Return the document collection of this name, and settings that serve its pack.

    Packs that are served come before packs that are only installed. Raises: NotFoundError when
    there are none.
    """
    settings = load_settings()
    known = list_knowledge(load_served_packs(settings))
    for name in list_installed():
        if collection in known or (collection is None and known):
            break
        if name not in (served := settings.agent.packs) and name != settings.agent.onboarding:
            settings = replace(settings, agent=replace(settings.agent, packs=(*served, name)))
            known |= list_knowledge(load_packs([name]))
    return settings, choose_knowledge(known, collection)


@asynccontextmanager
async def open_context(settings: Settings, tenant_id: str) -> AsyncGenerator[RunView]:
    """Open a tenant's context outside any run, to embed and search texts."""
    async with (
        open_service(settings) as service,
        service.open_context(service.pack, tenant_id, LOCAL) as ctx,
    ):
        yield ctx


def find_sources(terminal: Terminal, paths: list[str]) -> SOURCES:
    """Map document names to the files at these paths, including all files below folders.

    Raises: InputError for what is not there, and for two files of one name.
    """
    found: SOURCES = {}
    for path in paths:
        source, name = terminal.read_source(path)
        inside: Mapping[str, Path | bytes] = {name: source}
        if isinstance(source, Path):
            try:
                source.stat()
            except OSError as error:
                raise InputError(
                    f"cannot read {source}: {error.strerror}",
                    hint="Check the path and the file's permissions.",
                ) from error
            inside = list_files(source) if source.is_dir() else inside
        for one, content in inside.items():
            if (known := parse_name(one)) in found:
                raise InputError(f"two files have the name {known}", hint="Rename one of them.")
            found[known] = content
    return found


async def store_files(
    terminal: Terminal,
    ctx: RunView,
    knowledge: DocumentSource,
    tenant_id: str,
    files: SOURCES,
    *,
    is_outside: bool = False,
    actor: Actor | None = None,
) -> tuple[set[str], list[InputError]]:
    """Store the files that have changed, with a progress bar.

    Returns (changed names, errors of refused files).
    """
    counts: dict[Change, int] = {}
    changed: set[str] = set()
    refused: list[InputError] = []
    with output.progress_bar("reading", len(files)) as advance:

        def tell(name: str, change: Change, error: InputError | None) -> None:
            counts[change] = counts.get(change, 0) + 1
            if change in ("added", "changed"):
                changed.add(name)
            if error is not None:
                refused.append(error)
            advance()

        await index_files(
            ctx, knowledge, tenant_id, files.items(), is_outside=is_outside, actor=actor, tell=tell
        )
    terminal.remark(", ".join(f"{count} {change}" for change, count in counts.items()))
    return changed, refused


async def make_vectors(ctx: RunView, knowledge: DocumentSource, tenant_id: str) -> None:
    """Create the missing vectors of a collection, with a progress bar."""
    model, _ = await find_embedding_model(ctx)
    if model is None:
        return
    db = ctx.store.read(tenant_id)
    missing = await count_missing(db, knowledge.collection, None, model)
    with output.progress_bar("embedding", missing) as advance:

        def tell(count: int) -> None:
            for _ in range(count):
                advance()

        await embed_missing(ctx, knowledge, tenant_id, tell=tell)


def raise_refused(refused: list[InputError]) -> None:
    """Raise one InputError for all refused files, if there are any."""
    if len(refused) == 1:
        raise refused[0]
    if refused:
        reasons = "; ".join(error.message for error in refused)
        raise InputError(f"{len(refused)} files were not added: {reasons}", code="FILES_REFUSED")


def describe(row: dict[str, Any]) -> str:
    """Format a document's row as one line: name, passages, size, origin.

    >>> describe({"name": "a.md", "passages": 1, "size_bytes": 12, "embedded": 0,
    ...     "is_outside": True})
    'a.md · 1 passage · 12 bytes · written by others'
    """
    embedded = f" · {row['embedded']} with vectors" if row["embedded"] else ""
    outside = " · written by others" if row["is_outside"] else ""
    shared = " · ships with the pack" if row.get("is_shared") else ""
    passages = format_count(row["passages"], "passage")
    return f"{row['name']} · {passages} · {row['size_bytes']:,} bytes{embedded}{outside}{shared}"


def describe_passage(row: dict[str, Any]) -> str:
    """Format a passage's row as one line.

    The line has document, number, page, heading and the beginning of the text.

    >>> describe_passage({"name": "a.pdf", "position": 3, "page": 2, "heading": "",
    ...     "content": "Water them."})
    'a.pdf #3, page 2: Water them.'
    """
    page = f", page {row['page']}" if row["page"] else ""
    heading = f" ({row['heading']})" if row["heading"] else ""
    text = cut_text(" ".join(row["content"].split()), SHOWN_CHARS)
    return f"{row['name']} #{row['position']}{page}{heading}: {text}"
