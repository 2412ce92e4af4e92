-- What a turn writes is checked by less text. Of a check, and of a trigger's condition, the server
-- keeps the text of a tree, and reads that anew for each statement that writes to the table, which
-- takes longer than looking whether it holds; of a domain it keeps the tree itself. The columns stay
-- texts: as domains they would not be what functions that an older version has made return.

create type plainloop_run_end as (status text, ended_at timestamptz);
create domain plainloop_checked_run_end as plainloop_run_end
    constraint runs_status_check check (
        (value).status in (
            'queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'limit'
        )
    )
    constraint ended_when_terminal check (
        ((value).ended_at is null) = ((value).status in ('queued', 'running', 'waiting'))
    );
create domain plainloop_call_status as text constraint llm_calls_status_check check (
    value in ('started', 'succeeded', 'failed', 'cancelled', 'cut')
);
create domain plainloop_tool_status as text constraint tool_calls_status_check check (
    value in (
        'planned', 'approval', 'started', 'succeeded', 'failed', 'unknown', 'denied', 'interrupted'
    )
);
create domain plainloop_tool_effect as text constraint tool_calls_effect_check check (
    value in ('read', 'write', 'external')
);
create domain plainloop_message_role as text constraint messages_role_check check (
    value in ('user', 'assistant', 'tool')
);
create domain plainloop_thread_kind as text constraint threads_kind_check check (
    value in ('chat', 'onboarding', 'parse', 'helper')
);

-- Not valid: no row is looked at, as each has met the same list in its former words.
alter table threads drop constraint threads_kind_check, add constraint threads_kind_check
    check (kind::plainloop_thread_kind is not null) not valid;
-- A row is never the same as null: what is asked is only whether it can be one of the domain's.
alter table runs drop constraint runs_status_check, drop constraint ended_when_terminal,
    add constraint runs_end_check
    check (row(status, ended_at)::plainloop_checked_run_end is distinct from null) not valid;
alter table messages drop constraint messages_role_check, add constraint messages_role_check
    check (role::plainloop_message_role is not null) not valid;
alter table tool_calls
    drop constraint tool_calls_status_check, add constraint tool_calls_status_check
    check (status::plainloop_tool_status is not null) not valid,
    drop constraint tool_calls_effect_check, add constraint tool_calls_effect_check
    check (effect::plainloop_tool_effect is not null) not valid;
alter table llm_calls drop constraint llm_calls_status_check, add constraint llm_calls_status_check
    check (status::plainloop_call_status is not null) not valid;

-- A function has looked at these conditions sooner than the server has read them.

create or replace function plainloop_tell_run() returns trigger language plpgsql as $$
begin
    if tg_op = 'INSERT' or old.status <> new.status then
        insert into changes (tenant_id, user_id, thread_id, run_id, status)
        values (new.tenant_id, new.user_id, new.thread_id, new.run_id, new.status);
    end if;
    return null;
end
$$;
create or replace trigger tell_status after update of status on runs for each row
execute function plainloop_tell_run();

-- A helper's run is a part of its caller's, of which its user is told.
create or replace function plainloop_tell_change() returns trigger language plpgsql as $$
begin
    if new.run_id is null or (
        case when new.approval_id is null
            then new.status not in ('succeeded', 'failed', 'cancelled', 'limit')
            else new.status <> 'pending' end
    ) then
        return null;
    end if;
    -- Where nobody is told, a run pays for one look at an empty index: the second is not made ready.
    if not exists (select from webhooks where tenant_id = new.tenant_id) then
        return null;
    elsif exists (
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
create or replace trigger tell_webhooks after insert on changes for each row
execute function plainloop_tell_change();
