-- Domains, and the tables that are checked by them.

-- Checks of values that a turn writes. They are domains, not checks of the table: of a check the
-- server reads the text anew for each statement that writes to the table, which takes longer than the
-- check itself; of a domain it keeps the tree. The columns stay texts: as domains they would not be
-- what functions of older versions return.
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
create domain plainloop_call_status as text constraint llm_calls_status_check
    check (value in ('started', 'succeeded', 'failed', 'cancelled', 'cut'));
create domain plainloop_tool_status as text constraint tool_calls_status_check check (
    value in (
        'planned', 'approval', 'started', 'succeeded', 'failed', 'unknown', 'denied', 'interrupted'
    )
);
create domain plainloop_tool_effect as text constraint tool_calls_effect_check
    check (value in ('read', 'write', 'external'));
create domain plainloop_message_role as text constraint messages_role_check
    check (value in ('user', 'assistant', 'tool'));
create domain plainloop_thread_kind as text constraint threads_kind_check
    check (value in ('chat', 'onboarding', 'parse', 'helper'));

alter table threads add constraint threads_kind_check
    check (kind::plainloop_thread_kind is not null) not valid;
-- A row is never the same as null: it is only asked whether it can be one of the domain.
alter table runs add constraint runs_end_check
    check (row(status, ended_at)::plainloop_checked_run_end is distinct from null) not valid;
alter table messages add constraint messages_role_check
    check (role::plainloop_message_role is not null) not valid;
alter table tool_calls
    add constraint tool_calls_status_check
    check (status::plainloop_tool_status is not null) not valid,
    add constraint tool_calls_effect_check
    check (effect::plainloop_tool_effect is not null) not valid;
alter table llm_calls add constraint llm_calls_status_check
    check (status::plainloop_call_status is not null) not valid;
