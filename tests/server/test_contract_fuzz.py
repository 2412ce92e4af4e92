"""Requests made from our own OpenAPI document, valid and not: no answer is a bug of ours.

AGENT_FUZZ_EXAMPLES sets how many per operation (small by default).
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from tests.server.conftest import Serve, ask, begin

EXAMPLES = int(os.environ.get("AGENT_FUZZ_EXAMPLES", "2"))
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
# Both would call whatever provider a request names; their bodies are tested by hand.
CALLS_OUT = {"/api/config/models", "/api/config/test"}
NEVER_ENDS = {"/api/changes"}


async def test_requests_generated_from_the_contract_cause_no_500(
    serve: Serve, all_packs: tuple[str, ...]
):
    served = await serve(packs=all_packs, requests_per_minute=10**9, messages_per_minute=10**9)
    boss = await served.client("boss", is_admin=True)
    conversation = await begin(boss)
    answer = await ask(boss, conversation, "add a job: Cook at Cafe Uno")
    known = {"conversation_id": conversation, "run_id": answer["run_id"], "job_id": "1"}
    document = (await boss.get("/openapi.json")).json()
    headers = dict(boss.headers)
    found = await asyncio.to_thread(fuzz, document, served.url, headers, known)
    health = await boss.get("/readyz")

    assert [failure for failure in found if failure] == []
    assert len(found) >= 20
    assert health.status_code == 200


def fuzz(
    document: dict[str, Any], url: str, headers: dict[str, str], known: dict[str, str]
) -> list[str]:
    """One entry per operation: "", or what went wrong."""
    schema: Any = schemathesis.openapi.from_dict(document)
    return [
        fuzz_operation(result.ok(), url, headers, known)
        for result in schema.get_all_operations()
        if result.ok().path not in CALLS_OUT | NEVER_ENDS
    ]


def fuzz_operation(operation: Any, url: str, headers: dict[str, str], known: dict[str, str]) -> str:
    wrong: list[str] = []

    @given(st.data())
    @hypothesis_settings(
        max_examples=EXAMPLES * len(MODES),
        deadline=None,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    def run(data: Any) -> None:
        mode = data.draw(st.sampled_from(MODES))
        case = data.draw(operation.as_strategy(generation_mode=mode))
        if case.path_parameters and data.draw(st.booleans()):
            case.path_parameters |= {k: v for k, v in known.items() if k in case.path_parameters}
        told = {"authorization": headers["authorization"]}
        response = case.call(base_url=url, headers=told, timeout=60)
        if response.status_code >= 500:
            wrong.append(f"{case.as_curl_command()}: {response.status_code} {response.text[:300]}")

    run()
    return wrong[0] if wrong else ""
