"""Which protocols are served is a setting."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plainloop.agent.config.installed import find_entries
from plainloop.agent.errors import ConfigError
from plainloop.server.app import build_app_context
from plainloop.server.protocols.registry import list_protocol_routes
from plainloop.server.settings import ServerSettings
from tests.protocols.conftest import ServeNotes
from tests.server.conftest import Served


def list_paths(served: Served, *edges: str) -> list[str]:
    app = build_app_context(served.service, served.replica.runs, served.replica.hosts)
    server = replace(served.settings.get_table(ServerSettings), edges=edges)
    served.service.settings = served.settings.with_tables(server)
    return [item.route.path for item in list_protocol_routes(app)]


async def test_protocols_are_switched_off_by_a_setting(serve: ServeNotes) -> None:
    pytest.importorskip("plainloop_frontends")
    served = await serve()
    chosen = (("openai",), ("-",), find_entries("protocols"))
    few, none, every = (list_paths(served, *edges) for edges in chosen)

    assert few and all(path.startswith("/v1/") for path in few)
    assert none == []
    assert "/v1/models" in every


async def test_an_unknown_protocol_in_the_settings_is_refused(serve: ServeNotes) -> None:
    with pytest.raises(ConfigError, match="telepathy"):
        list_paths(await serve(), "-", "telepathy")
