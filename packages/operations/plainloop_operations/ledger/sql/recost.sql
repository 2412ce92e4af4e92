-- name: list_priced_calls
-- Calls with known usage, and failed ones, after the call $2, in order, made in $3 to $4.
select tenant_id, call_id, provider, model, model_answered, created_at, {buckets: @}, cost_usd,
    price_version, processing, status, usage_source, error_code
from llm_calls
where tenant_id = $1 and call_id > $2 and created_at >= $3 and created_at < $4
    and (usage_source <> 'missing' and status <> 'started' or status = 'failed')
order by call_id
limit $5

-- name: reprice_calls
-- New costs ($2: a list); what they were is kept beside them.
update llm_calls
set cost_usd = new.cost_usd, price_version = new.price_version,
    former_costs = (
        coalesce(former_costs::jsonb, '[]') || jsonb_build_array(jsonb_build_object(
            'cost_usd', llm_calls.cost_usd::text, 'price_version', llm_calls.price_version,
            'until', now()
        ))
    )::json
from json_to_recordset($2::json) as new (call_id uuid, cost_usd numeric, price_version text)
where llm_calls.tenant_id = $1 and llm_calls.call_id = new.call_id
