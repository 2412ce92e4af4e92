-- name: list_user_tables
-- Every table, the packs' too, with a tenant and a user or a thread; read from the catalog.
select c.relname::text as name, bool_or(a.attname = 'user_id') as has_user,
    bool_or(a.attname = 'thread_id') as has_thread
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition group by c.oid, c.relname
having bool_or(a.attname = 'tenant_id') and bool_or(a.attname in ('user_id', 'thread_id'))
order by 1

-- name: list_threads_of_user
-- All threads of a user, locked.
select thread_id from threads where tenant_id = $1 and user_id = $2 order by thread_id for update

-- name: list_prompts_of_thread
-- Which prompts the calls of a thread showed: by its runs, as no index leads from it to its calls.
select distinct shown.hash
from (
    select distinct run_id from messages
    where tenant_id = $1 and thread_id = $2 and run_id is not null
) as of_thread
join llm_calls on llm_calls.tenant_id = $1 and llm_calls.run_id = of_thread.run_id
cross join lateral (values (system_hash), (tools_hash)) as shown (hash)
where shown.hash is not null

-- name: list_prompts_of_user
-- Which prompts the calls of a user showed.
select distinct shown.hash
from llm_calls cross join lateral (values (system_hash), (tools_hash)) as shown (hash)
where tenant_id = $1 and user_id = $2 and shown.hash is not null

-- name: delete_unused_prompts
-- Of the prompts $2, those that no call points to any more. Most are everybody's, and the newest
-- calls show them. For the others all calls are read since the first of them was stored: a call
-- comes after its prompt, but for the clocks of two machines.
with newest as (
    select system_hash, tools_hash from llm_calls
    where tenant_id = $1 order by call_id desc limit 1000
), rare as materialized (
    select hash, created_at from prompt_texts
    where tenant_id = $1 and hash = any($2::bytea[])
        and not exists (select from newest where hash in (system_hash, tools_hash))
), since as (
    select min(created_at) - interval '1 day' as at from rare
), shown as (
    select system_hash, tools_hash from llm_calls
    -- Between: of a range without an end the planner expects a third of the table, and reads all.
    where tenant_id = $1 and (select at from since) is not null
        and created_at between (select at from since) and 'infinity'
)
delete from prompt_texts
where tenant_id = $1 and hash in (select hash from rare)
    and not exists (select from shown where system_hash = hash)
    and not exists (select from shown where tools_hash = hash)

-- name: blank_calls_of_user
-- The ledger keeps its numbers; whose they were and what was said goes.
update llm_calls
set user_id = '', thread_id = null, run_id = null, step = null, extra_messages = null,
    response = null, response_position = null, notes = null, fingerprint = null,
    system_hash = null, tools_hash = null, first_position = null, last_position = null,
    request_id = null, error_message = null, usage_raw = null, tags = '{}'
where tenant_id = $1 and user_id = $2

-- name: blank_sums_of_user
-- Sums of the ledger and of avoided calls ({table}) stay as well; sums by run lose the run ({more}).
update {table} set user_id = ''{more} where tenant_id = $1 and user_id = $2
