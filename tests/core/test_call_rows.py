"""The ledger's row of a model call, compared with what was sent: column by column."""

from __future__ import annotations

from typing import Any

import pytest

from plainloop.agent.base.tokens.factors import TokenFactors
from plainloop.agent.config.settings import Settings
from plainloop.agent.core.attempts import to_tools_text
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.store.ledger import hash_prompt_text
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, ToolSchema
from tests.core.conversations import answer, user
from tests.core.model_calls import make_caller
from tests.machine.scripted import ScriptedProvider, text

TOOL = ToolSchema("look", "Look.", {"type": "object", "properties": {}})
PASSING = ("call_id", "created_at", "duration_ms", "first_token_ms", "fingerprint")


def hash_text(value: str) -> bytes:
    return bytes.fromhex(hash_prompt_text(value))


async def load_row(store: Store, tenant_id: str = "acme") -> dict[str, Any]:
    """The only call's columns that are not null, without those of the clock."""
    (row,) = await store.read(tenant_id).fetch("select * from llm_calls")
    return {key: it for key, it in row.items() if it is not None and key not in PASSING}


@pytest.mark.parametrize("with_all", [True, False])
async def test_a_ledger_row_describes_its_request_and_how_it_was_shortened(
    with_all: bool, store: Store, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    factors = TokenFactors()
    provider = ScriptedProvider(text("yes"))
    ours = await make_caller(store, settings, provider, factors=factors)
    if with_all:
        factors.learn("scripted:scripted-1", 1_000, 1_500)
        own = ModelHandle("scripted", "scripted-1", provider, factors, effort="low")
        models: Any = ours.ctx.models
        monkeypatch.setattr(models, "_chain", (own,))
    request = ChatRequest(
        system="Be brief.",
        messages=[user("so?")],
        max_tokens=700,
        tools=(TOOL,) if with_all else (),
    )
    extra = [answer("beside")] if with_all else None
    await ours.call(
        request, stream=False, worker="baker" if with_all else None, role="worker", extra=extra
    )
    run = ours.ctx.run
    more = {
        "worker": "baker",
        "token_factor": 1.5,
        "effort": "low",
        "tools_hash": hash_text(to_tools_text(request)),
        "extra_messages": extra,
    }
    row = await load_row(store)
    estimated = row.pop("estimated_input_tokens")
    assert estimated > 0
    whole = {
        "tenant_id": "acme",
        "user_id": "ann",
        "thread_id": run.thread_id,
        "run_id": run.run_id,
        "step": 0,
        "attempt": 1,
        "node": "worker",
        "system_hash": hash_text("Be brief."),
        "first_position": 0,
        "last_position": 0,
        "role": "worker",
        "provider": "scripted",
        "model": "scripted-1",
        "model_answered": "scripted-1",
        "token_factor": 1.0,
        "status": "succeeded",
        "usage_source": "provider",
        "input_tokens": 10,
        "output_tokens": 5,
        "usage_raw": {"prompt": 10},
        "stop": "end",
        "response": "yes",
        "tags": [],
        **(more if with_all else {}),
    }
    assert row == whole
    prompts = {hash_text("Be brief."): "Be brief."}
    if with_all:
        prompts[hash_text(to_tools_text(request))] = to_tools_text(request)
    texts = await store.read("acme").fetch("select hash, text from prompt_texts")
    assert {item["hash"]: item["text"] for item in texts} == prompts
    assert await store.read("umbrella").fetch("select * from llm_calls") == []
