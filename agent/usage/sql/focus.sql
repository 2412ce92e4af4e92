-- name: list_ledger_rows
-- A page of the ledger as it is exported, after the call $2, made in $3 to $4; $5: rows.
select call_id, created_at, tenant_id, user_id, thread_id, run_id, step, node, worker, role,
    attempt, case when replay_id is null then 'own' else 'replay' end as origin, provider, model,
    model_answered, status, usage_source, input_tokens, cache_read_tokens, cache_write_tokens,
    output_tokens, reasoning_tokens, cost_usd, price_version, first_token_ms, duration_ms,
    request_id, stop, error_code
from llm_calls
where tenant_id = $1 and call_id > $2 and created_at >= $3 and created_at < $4
order by call_id
limit $5
