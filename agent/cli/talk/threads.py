"""`plainloop threads` and `plainloop show`: what is stored, read only."""

from __future__ import annotations

from dataclasses import asdict

import orjson

from ...store.store import Store
from ..terminal import output
from ..terminal.opening import find_thread
from ..terminal.options import Owner
from ..terminal.rendering import render_thread, render_thread_rows


async def print_threads(store: Store, owner: Owner, limit: int) -> None:
    threads = await store.list_threads(owner.tenant_id, owner.user_id, limit=limit)
    output.write_lines(render_thread_rows(threads))
    if not threads:
        output.write_status("no threads yet; `plainloop ask` starts one")


async def print_thread(store: Store, owner: Owner, thread: str, *, as_json: bool = False) -> None:
    found = await find_thread(store, owner, thread)
    messages = await store.load_messages(owner.tenant_id, found.thread_id)
    if as_json:
        document = {**asdict(found), "messages": messages}
        output.write_line(orjson.dumps(document, option=orjson.OPT_INDENT_2).decode())
        return
    output.write_lines(render_thread(found, messages))
