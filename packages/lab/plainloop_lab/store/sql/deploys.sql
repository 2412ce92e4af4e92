-- name: record_code
-- Which code $2 the replica $1 has, what it repeats ($3), whether it takes runs ($4), its verdict $5.
insert into replicas (owner, is_draining, code, repeats, takes_runs, verdict)
values ($1, false, $2, $3, $4, $5)
on conflict (owner) do update set code = excluded.code, repeats = excluded.repeats,
    takes_runs = excluded.takes_runs, verdict = excluded.verdict, seen_at = now()

-- name: list_deployed
-- Replicas that gave a sign of life in the last minutes and say which code they have.
select owner, code, repeats, takes_runs, verdict
from replicas
where code is not null and not is_draining
    and greatest(seen_at, looks_at) > now() - interval '2 minutes'
order by started_at, owner

-- name: list_judged_runs
-- Runs that a deploy is judged by, as threads: those that have not ended, and of each pack and
-- design those that ended in $2 conversations; of the newest of each tenant, drawn by hash, tenants
-- in turn. Only what the codes $1 began (null: any); of an unended one the code may be unknown.
with recursive tenants as (
    (select tenant_id from runs order by tenant_id limit 1)
    union all
    select (
        select runs.tenant_id from runs where runs.tenant_id > tenants.tenant_id
        order by runs.tenant_id limit 1
    )
    from tenants where tenant_id is not null
), newest as (
    select runs.* from tenants cross join lateral (
        select tenant_id, thread_id, user_id, run_id, pack, design, status, code
        from runs where runs.tenant_id = tenants.tenant_id
        order by run_id desc limit 20 * $2
    ) as runs
    where status in ('succeeded', 'limit') and ($1::text[] is null or code = any($1))
), drawn as (
    select *, row_number() over (
        partition by pack, design order by place, plainloop_draw('judge', thread_id), thread_id
    ) as n
    from (
        select tenant_id, thread_id, min(user_id) as user_id, pack, design,
            array_agg(run_id) as run_ids, row_number() over (
                partition by tenant_id, pack, design
                order by plainloop_draw('judge', thread_id), thread_id
            ) as place
        from newest group by tenant_id, thread_id, pack, design
    ) as threads
)
select tenant_id, thread_id, user_id, array_agg(run_id) as run_ids, true as is_open
from runs
where status in ('running', 'waiting') and ($1::text[] is null or code is null or code = any($1))
group by tenant_id, thread_id, user_id
union all
select tenant_id, thread_id, user_id, run_ids, false from drawn where n <= $2

-- name: list_judged_positions
-- Where the runs $2 of the tenant begin in their thread, unless it is an interview, or a canary's
-- candidate answered.
select input_position from runs join threads using (tenant_id, thread_id)
where runs.tenant_id = $1 and run_id = any($2::uuid[]) and input_position is not null
    and kind = 'chat' and not exists (
        select from rollout_runs
        where rollout_runs.tenant_id = $1 and rollout_runs.run_id = runs.run_id
            and side = 'candidate'
    )

-- name: load_code
-- Fingerprint of the code that began the run; null: nobody knows.
select code from runs where tenant_id = $1 and run_id = $2
