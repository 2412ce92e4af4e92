"""`plainloop wire-server`: the providers' real formats on loopback, with no model behind."""

from __future__ import annotations

from typing import Any, Final

from plainloop.agent.cli.terminal.options import grouped

from .options import ServerOptions


@grouped
def wire_server(options: ServerOptions) -> None:
    """Simulate the providers' APIs without a model.

    Starts a loopback server for tests and demos. It checks requests strictly, and can fail on
    demand.

    \b
    plainloop wire-server --port 8399 --fail 2x529 --delay-ms 20
    AGENT_PROVIDER=anthropic AGENT_API_BASE=http://127.0.0.1:8399 ANTHROPIC_API_KEY=any \\
        plainloop ask "list my jobs"
    """
    from plainloop.agent.cli.terminal import output
    from plainloop.agent.config.settings import load_settings
    from plainloop.agent.packs.loading import load_served_packs
    from plainloop_rules.offline.brain import brain

    from .serving import run_wire_server

    load_served_packs(load_settings())  # the stand-in learns their rules
    run_wire_server(options, brain, output.write_line)


COMMANDS: Final[dict[str, Any]] = {"wire-server": wire_server}
