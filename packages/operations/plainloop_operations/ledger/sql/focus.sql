-- name: list_ledger_rows
-- A page of the ledger as it is exported, after the call $2, made in $3 to $4; $5: rows. Of the
-- tenant $1, null: of all. {dimensions}: what usage is told apart by.
select call_id, created_at, {dimensions}, step, attempt, model, model_answered, usage_source,
    processing,
    {buckets: @}, cost_usd, most_usd, price_version, first_token_ms, duration_ms, request_id, stop,
    error_code
from llm_calls
where ($1::text is null or tenant_id = $1) and call_id > $2 and created_at >= $3
    and created_at < $4
order by call_id
limit $5
