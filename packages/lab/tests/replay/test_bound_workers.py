"""Changed workers' prompts and other vendors' models on threads whose thinking is bound.

The server refuses what it would be allowed to drop: state that is out of place is never sent.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plainloop_wire.anthropic.binding as binding
from tests.cli.conftest import Command
from tests.cli.conftest import plainloop as plainloop
from tests.wire_fixtures import StartWire, WireServer

SAID = (
    "add a job: Cook at Acme",
    "write a letter for the Cook job",
    "what can you do?",
    "list my jobs and tell me which one is best",
)
CANDIDATES = {
    "prompt": ("--prompts", "prompts"),
    "gemini": ("--provider", "gemini", "--model", "gemini-3.5-flash", "--set"),
    "openai": ("--provider", "openai", "--model", "gpt-6-luna", "--set"),
}
RULES = '[[rule]]\nmeasure = "failed"\nmargin = "50pp"\n'


def refuse_dropping(patch: pytest.MonkeyPatch) -> None:
    """Let the server refuse the thinking that a request allows it to drop."""
    read = binding.read_controls
    patch.setattr(binding, "read_controls", lambda *given: (read(*given)[0], False))


async def record_thread(plainloop: Command, server: WireServer, folder: Path) -> dict[str, str]:
    """Record a conversation of several workers; return the environment that points at Claude."""
    environ = {
        "AGENT_PROVIDER": "anthropic",
        "AGENT_MODEL": "claude-sonnet-5-5",
        "AGENT_API_BASE": server.base_url,
        "ANTHROPIC_API_KEY": "any",
        "OPENAI_API_KEY": "any",
        "GEMINI_API_KEY": "any",
    }
    for n, said in enumerate(SAID):
        done = await plainloop("ask", *(["--last"] if n else []), said, **environ)
        assert done.code == 0, done
    (folder / "prompts").mkdir()
    for name in ("crm_worker", "writer", "general"):
        (folder / "prompts" / f"{name}.md").write_text("Be quick.")
    return environ


@pytest.mark.parametrize(
    ("name", "history"),
    [("prompt", "recorded"), ("prompt", "own"), ("gemini", "recorded"), ("openai", "own")],
)
async def test_a_candidate_sends_no_opaque_state_of_another_model(
    plainloop: Command,
    wire_server: StartWire,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    history: str,
) -> None:
    refuse_dropping(monkeypatch)
    server = await wire_server()
    environ = await record_thread(plainloop, server, tmp_path)
    recorded = len(server.requests)
    path = {"openai": "/v1"}.get(name, "")
    base = [f"AGENT_API_BASE={server.base_url}{path}"] if name != "prompt" else []
    chosen = ("replay", "live", "--thread", "last", "--history", history, "--no-share")
    done = await plainloop(*chosen, *CANDIDATES[name], *base, "--report", "now", **environ)

    assert done.code == 0, done
    assert [entry["error"] for entry in server.requests if "error" in entry] == []
    sent = server.requests[recorded:]
    assert {entry["dialect"] for entry in sent} > {"anthropic"} or name == "prompt"
    assert "thinking" in str([entry["body"]["messages"] for entry in sent if is_claude(entry)])

    (tmp_path / "rules.toml").write_text(RULES, encoding="utf-8")
    gated = await plainloop("gate", "rules.toml", "--candidate", "now", **environ)
    assert "failed not worse by 50pp          0%          0%          ±0" in gated.out, gated
    compared = await plainloop("compare", "now", **environ)
    assert compared.code == 0 and "has no cost" not in compared.out, compared


def is_claude(entry: Any) -> bool:
    return entry["dialect"] == "anthropic"
