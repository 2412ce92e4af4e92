"""Adapts A2A's TCK to a service whose answers end: a plugin of its pytest process.

By A2A a call waits for its task's end unless it says `returnImmediately`. The TCK does not say it,
and reads tasks that are still at work. It marks such messages by their ids, which no agent sees, so
the agent is told by the text.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

AT_WORK = ("list-test", "cancel-test", "mapping-test", "test-state-message-id", "test-cancel-")
ASKS_BACK = ("test-history-create-message-id", "text-", "test-resilience-", "test-message-id-")


def adapt(message: dict[str, Any], configuration: dict[str, Any] | None) -> dict[str, Any] | None:
    """Word the message for the served agent; return the call's configuration."""
    name, parts = str(message.get("messageId", "")), message.get("parts")
    if not parts or message.get("taskId"):
        return configuration
    if any(mark in name for mark in AT_WORK):
        parts[0]["text"] = "work on"
        return {**(configuration or {}), "returnImmediately": True}
    if any(mark in name for mark in ASKS_BACK):
        parts[0]["text"] = "ask me"
    return configuration


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    rest_client = import_module("tck.transport.rest_client")
    json_rpc = import_module("tck.transport.jsonrpc_client")
    # `urljoin` with "/message:send" leaves out the path of the address that the card names.
    setattr(rest_client, "urljoin", lambda base, path: base.rstrip("/") + path)  # noqa: B010

    for kind in (json_rpc.JSONRPCClient, rest_client.RESTClient):
        send = kind.send_message

        def send_adapted(
            self: Any,
            message: Any,
            configuration: Any = None,
            *more: Any,
            _send: Any = send,
            **rest: Any,
        ) -> Any:
            return _send(self, message, adapt(message, configuration), *more, **rest)

        kind.send_message = send_adapted
