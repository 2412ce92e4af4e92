"""The rows of `bench usage`."""

from __future__ import annotations

from typing import Final

from plainloop.agent.base.ids import make_id
from plainloop.agent.store.records import CallStart

# $1, $2: which rows; $3: how many there will be. Four calls make a run, ten runs a thread.
FILL_CALLS: Final = """
insert into llm_calls
    (tenant_id, call_id, user_id, thread_id, run_id, step, attempt, node, worker, role, provider,
    model, replay_id, fingerprint, system_hash, tools_hash, first_position, last_position,
    estimated_input_tokens, created_at, status, usage_source, input_tokens, cache_read_tokens,
    cache_write_tokens, output_tokens, usage_raw, cost_usd, price_version, first_token_ms,
    duration_ms, model_answered, request_id, stop, response_position)
select
    case when run % 2 = 0 then 'acme' else 'tenant-' || run % 9 end,
    (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008'
        || lpad(to_hex(n), 15, '0'))::uuid,
    'user-' || run * 7919 % 500, md5('t' || run / 10)::uuid, md5('r' || run)::uuid,
    n % 4, case when n % 37 = 0 then 2 else 1 end,
    (array['intent_classifier', 'job_search', 'job_search', 'job_search.evaluator'])[1 + n % 4],
    (array[null, 'job_search', 'job_search', 'job_search'])[1 + n % 4],
    (array['classifier', 'worker', 'worker', 'evaluator'])[1 + n % 4],
    (array['anthropic', 'openai', 'gemini'])[1 + run % 3],
    (array['claude-sonnet-4-5', 'gpt-4o', 'gemini-2.5-flash'])[1 + run % 3],
    case when run % 23 = 0 then md5('replay')::uuid end,
    decode(md5(n::text) || md5(n::text), 'hex'), decode(md5('s'), 'hex'), decode(md5('t'), 'hex'),
    0, 5, 900, at, case when n % 50 = 0 then 'failed' else 'succeeded' end,
    case when n % 60 = 0 then 'estimated' else 'provider' end,
    100 + n % 900, n % 3000, case when run % 3 = 0 then n % 200 end, n % 400,
    '{"input_tokens":900,"cache_read_input_tokens":2000,"output_tokens":300}'::json,
    case when n % 71 <> 0 then n % 1000 * 0.00001 end, 'genai-prices', 300, 2000,
    (array['claude-sonnet-4-5-20250929', 'gpt-4o-2024-11-20', 'gemini-2.5-flash'])[1 + run % 3],
    'req_' || n, 'end', 6
from (
    select n, n / 4 as run, now() - interval '30 days' * (1 - n::double precision / $3::int) as at
    from generate_series($1::int, $2::int - 1) as n
) as numbered
"""
# $1: the rows of the ledger. A step with something avoided for each run of the tenant.
FILL_STEPS: Final = """
with made as (
    select distinct on (tenant_id, run_id) tenant_id, run_id, thread_id, user_id, created_at
    from llm_calls
    where tenant_id = 'acme' and $1::int > 0 and run_id is not null
), started as (
    insert into runs
        (tenant_id, run_id, thread_id, user_id, design, pack, status, created_at, ended_at,
        input_position)
    select tenant_id, run_id, thread_id, user_id, 'default', 'careers', 'succeeded', created_at,
        created_at, 0
    from made
)
insert into steps
    (tenant_id, run_id, n, node, update, next_node, avoided, started_at, duration_ms)
select tenant_id, run_id, 0, 'job_search', '{}', 'END',
    '[["evaluator","evaluator skipped: auto, 1 tool call this turn",700],
      ["tools","12 tools of other workers not sent",1400]]',
    created_at, 20
from made
"""


def make_start(tenant_id: str, n: int) -> CallStart:
    """A ledger row as a worker's call writes it."""
    return CallStart(
        call_id=make_id(),
        tenant_id=tenant_id,
        user_id=f"user-{n % 7}",
        thread_id=make_id(),
        run_id=make_id(),
        step=1,
        node="job_search",
        worker="job_search",
        role="worker",
        attempt=1,
        provider="anthropic",
        model="claude-sonnet-4-5",
        estimated_input_tokens=900,
        fingerprint="ab" * 32,
        system_hash="cd" * 16,
        tools_hash="ef" * 16,
        first_position=0,
        last_position=6,
    )
