-- name: delete_old_rows
-- Some rows of {table} before $1, of all tenants.
delete from {table}
where (tenant_id, {key}) in (select tenant_id, {key} from {table} where {time} < $1 limit $2)

-- name: delete_old_prompts
-- Prompts stored before $1 that no call points to any more.
delete from prompt_texts as old
where created_at < $1
    and not exists (
        select from llm_calls
        where llm_calls.tenant_id = old.tenant_id and llm_calls.system_hash = old.hash
    )
    and not exists (
        select from llm_calls
        where llm_calls.tenant_id = old.tenant_id and llm_calls.tools_hash = old.hash
    )

-- name: delete_old_events
-- Some of the events before $1, of runs that have ended.
delete from run_events
where (tenant_id, run_id, first_seq) in (
    select old.tenant_id, old.run_id, old.first_seq
    from run_events as old
    join runs on runs.tenant_id = old.tenant_id and runs.run_id = old.run_id
    where old.created_at < $1 and runs.ended_at is not null limit $2
)

-- name: blank_old_steps
-- The same for the events in steps' rows.
update steps set events = null
where (tenant_id, run_id, n) in (
    select old.tenant_id, old.run_id, old.n
    from steps as old
    join runs on runs.tenant_id = old.tenant_id and runs.run_id = old.run_id
    where old.started_at < $1 and old.events is not null and runs.ended_at is not null limit $2
)
