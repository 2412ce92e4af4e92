"""Loads and saves a thread's messages by plain functions, for programs without a service."""

from __future__ import annotations

from ..store.opening import connect_store
from ..store.store import Store

__all__ = ["Store", "connect_store", "load_messages", "save_message"]

# They take the store first: `await load_messages(store, tenant_id, thread_id)`.
load_messages = Store.load_messages
save_message = Store.save_message
