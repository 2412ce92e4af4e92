-- A worker's call of a helper is a run of its own, in a thread of its own: it has steps, calls and a
-- recording like a conversation, is erased with its caller's, and is in no list of conversations.
alter table threads drop constraint threads_kind_check;
alter table threads add constraint threads_kind_check
    check (kind in ('chat', 'onboarding', 'parse', 'helper')) not valid;

create table helper_runs (
    tenant_id text not null,
    caller_run_id uuid not null,
    -- One call begins one run, however often its step is done again.
    tool_call_id text not null,
    caller_thread_id uuid not null,
    user_id text not null,
    worker text not null,
    -- 1: of a run that is nobody's helper.
    depth int not null,
    -- Null: it was refused, and why.
    run_id uuid,
    thread_id uuid,
    refused text,
    created_at timestamptz not null default now(),
    primary key (tenant_id, caller_run_id, tool_call_id)
);
create index helper_runs_by_run on helper_runs (tenant_id, run_id) where run_id is not null;
create index helper_runs_by_thread on helper_runs (tenant_id, caller_thread_id);

select plainloop_protect('helper_runs');

-- The run that somebody asked for: a helper's calls count against the budget of that one.
create function plainloop_root_run(tenant text, run text) returns text language sql stable as $$
    with recursive above as (
        select run::uuid as run_id, 0 as depth
        union all
        select helper_runs.caller_run_id, above.depth + 1
        from above join helper_runs
            on helper_runs.tenant_id = tenant and helper_runs.run_id = above.run_id
    )
    select run_id::text from above order by depth desc limit 1
$$;

-- A helper's run is a part of its caller's, of which its user is told.
create or replace function plainloop_tell_change() returns trigger language plpgsql as $$
begin
    -- Where nobody is told, a run pays for one look at an empty index.
    if not exists (select from webhooks where tenant_id = new.tenant_id) or exists (
        select from helper_runs where tenant_id = new.tenant_id and run_id = new.run_id
    ) then
        return null;
    end if;
    perform plainloop_enqueue_event(
        new.tenant_id, new.user_id, new.thread_id, new.run_id,
        case when new.approval_id is null then 'run.ended' else 'approval.pending' end,
        json_build_object(
            'user_id', new.user_id, 'conversation_id', new.thread_id, 'run_id', new.run_id,
            'approval_id', new.approval_id, 'status', new.status,
            'error_code', (
                select error_code from runs
                where tenant_id = new.tenant_id and run_id = new.run_id
                    and new.approval_id is null
            )
        )
    );
    return null;
end
$$;
