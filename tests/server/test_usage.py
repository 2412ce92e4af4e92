"""`/api/usage`: filters, sorting, pages."""

from __future__ import annotations

from tests.machine.scripted import text, triage
from tests.server.conftest import Serve, ask, begin


async def test_usage_is_filtered_sorted_and_paged(serve: Serve):
    served = await serve(triage("general"), text("yes"))
    ann = await served.client()
    await ask(ann, await begin(ann), "tell me a story about work")
    whole = (await ann.get("/api/usage", params={"by": "role"})).json()
    pages = [(await ann.get("/api/usage", params={"by": "role", "limit": 1})).json()]
    cursor = pages[0]["next_cursor"]
    pages.append(
        (await ann.get("/api/usage", params={"by": "role", "limit": 1, "cursor": cursor})).json()
    )
    only = (await ann.get("/api/usage", params={"role": "worker", "runs": "true"})).json()
    replays = (await ann.get("/api/usage", params={"origin": "replay"})).json()
    odd = await ann.get("/api/usage", params={"cursor": "-1"})
    far = await ann.get("/api/usage", params={"since": "9999-12-31T23:59:59Z"})

    assert [row for page in pages for row in page["usage"]] == whole["usage"]
    assert (whole["next_cursor"], pages[1]["next_cursor"]) == (None, None)
    assert only["usage"][0]["calls"] == 1
    assert (only["runs"][0]["runs"], only["runs"][0]["tokens_p50"]) == (1, 15)
    assert replays["usage"][0]["calls"] == 0
    assert (odd.status_code, far.status_code) == (400, 422)


async def test_usage_tells_how_long_calls_took_and_how_many_failed(serve: Serve):
    served = await serve(triage("general"), text("yes"))
    ann = await served.client()
    await ask(ann, await begin(ann), "tell me a story about work")

    asked = {"by": "day,role", "latency": "true"}
    rows = (await ann.get("/api/usage", params=asked)).json()["latency"]
    none = (await ann.get("/api/usage", params={**asked, "since": "2999-01-01"})).json()["latency"]
    with_avoided = (await ann.get("/api/usage")).json()
    without = (await ann.get("/api/usage", params={"avoided": "false"})).json()

    assert (with_avoided["avoided"] != [], without) == (True, {**with_avoided, "avoided": []})
    assert none == []
    assert [row["role"] for row in rows] == ["classifier", "worker"]
    for row in rows:
        assert (row["calls"], row["unsuccessful_calls"]) == (1, 0)
        assert 0 <= row["duration_ms_p50"] <= row["duration_ms_p95"]
