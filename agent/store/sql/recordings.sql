-- name: save_code_parts
-- Keep what code $1 is part by part ($2), once.
insert into code_parts (name, parts) values ($1, $2) on conflict do nothing

-- name: load_code_parts
-- What the code of this name is, part by part.
select parts from code_parts where name = $1

-- name: load_request
-- What is kept of one model call's request, whatever came of it; $4: or of the one before it in
-- the conversation, by the same model in the same role.
with asked as (select * from llm_calls where tenant_id = $1 and run_id = $2 and call_id = $3)
select calls.call_id, calls.run_id, calls.thread_id, calls.first_position, calls.last_position,
    calls.extra_messages, calls.worker, prompts.text as system, tools.text as tools
from (
    select asked.* from asked where not $4
    union all
    (
        select before.* from asked
        join llm_calls as before
            on before.tenant_id = $1 and before.call_id < asked.call_id
            and before.role = asked.role and before.worker is not distinct from asked.worker
            and before.provider = asked.provider and before.model = asked.model
        where $4 and before.run_id in (
            select messages.run_id from messages
            where messages.tenant_id = $1 and messages.thread_id = asked.thread_id
                and messages.role = 'user'
        )
        order by before.call_id desc limit 1
    )
) as calls
left join prompt_texts as prompts
    on prompts.tenant_id = $1 and prompts.hash = calls.system_hash
left join prompt_texts as tools on tools.tenant_id = $1 and tools.hash = calls.tools_hash
