"""The rows of `bench growth`. $1, $2: which runs; $3: of how many; $4, $5: since, until."""

from __future__ import annotations

from typing import Final

TENANT: Final = "acme"
# A run with the ids of its time, of one of nine tenants: every second one is of the first.
_RUNS: Final = """
    select n as run, case when n % 2 = 0 then 'acme' else 'tenant-' || n % 9 end as tenant_id,
        'user-' || n::bigint * 7919 % 500 as user_id, at,
        (left(plainloop_first_id(at)::text, 13) || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid
            as run_id
    from (
        select n, $4::timestamptz + ($5::timestamptz - $4::timestamptz)
            * (n::double precision / $3::int) as at
        from generate_series($1::int, $2::int - 1) as n
    ) as numbered
"""
FILLS: Final = (
    f"""
insert into runs
    (tenant_id, run_id, thread_id, user_id, design, pack, status, created_at, ended_at,
    input_position)
select tenant_id, run_id, run_id, user_id, 'default', 'careers', 'succeeded', at, at, 0
from ({_RUNS}) as made
""",
    f"""
insert into steps
    (tenant_id, run_id, n, node, update, next_node, started_at, duration_ms, first_seq, last_seq)
select tenant_id, run_id, step, 'job_search', '{{}}', 'END', at, 20, 1, 1
from ({_RUNS}) as made, generate_series(0, 1) as step
""",
    f"""
insert into tool_calls
    (tenant_id, run_id, tool_call_id, step, index, name, effect, status, arguments,
    idempotency_key, duration_ms)
select tenant_id, run_id, 'call_' || run, 0, 0, 'list_jobs', 'read', 'succeeded',
    '{{"status":"saved"}}', 'key:' || run, 12
from ({_RUNS}) as made
""",
    f"""
insert into run_events (tenant_id, run_id, first_seq, last_seq, events, created_at)
select tenant_id, run_id, seq, seq, '[["text_delta",["You have ","applied to three jobs."]]]', at
from ({_RUNS}) as made, generate_series(1, 8) as seq
""",
    f"""
insert into llm_calls
    (tenant_id, call_id, user_id, thread_id, run_id, step, attempt, node, worker, role, provider,
    model, fingerprint, system_hash, tools_hash, first_position, last_position,
    estimated_input_tokens, created_at, status, usage_source, input_tokens, cache_read_tokens,
    output_tokens, usage_raw, cost_usd, price_version, first_token_ms, duration_ms, model_answered,
    request_id, stop, response_position)
select tenant_id,
    (left(run_id::text, 13) || '-7000-8' || lpad(to_hex(place), 3, '0') || '-'
        || right(run_id::text, 12))::uuid,
    user_id, run_id, run_id, place, 1, 'job_search', 'job_search',
    (array['classifier', 'worker', 'worker', 'evaluator'])[1 + place], 'anthropic',
    (array['claude-sonnet-4-5', 'gpt-4o', 'gemini-2.5-flash'])[1 + run % 3],
    decode(md5(run::text) || md5(run::text), 'hex'), decode(md5('s'), 'hex'),
    decode(md5('t'), 'hex'), 0, 5, 900, at,
    case when run % 50 = 0 then 'failed' else 'succeeded' end,
    'provider', 100 + run % 900, run % 3000, run % 400,
    '{{"input_tokens":900,"cache_read_input_tokens":2000,"output_tokens":300}}',
    run % 1000 * 0.00001, 'genai-prices', 300, 2000, 'claude-sonnet-4-5-20250929', 'req_' || run,
    'end', 6
from ({_RUNS}) as made, generate_series(0, 3) as place
""",
)
