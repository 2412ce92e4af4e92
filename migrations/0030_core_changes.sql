-- What changed of whose, for who watches: the last hour's. By triggers: a dozen statements set a
-- status, and one that forgot to tell would leave somebody's list wrong for good.
create table changes (
    tenant_id text not null,
    change_id bigint generated always as identity,
    -- The moment itself: the transaction of a step may have begun long before.
    at timestamptz not null default clock_timestamp(),
    user_id text not null,
    -- Null: of one that was erased; nothing says which it was.
    thread_id uuid,
    run_id uuid,
    approval_id uuid,
    -- Of the approval, else of the run, else what became of the conversation.
    status text not null,
    primary key (tenant_id, change_id)
);

create function plainloop_tell_run() returns trigger language plpgsql as $$
begin
    insert into changes (tenant_id, user_id, thread_id, run_id, status)
    values (new.tenant_id, new.user_id, new.thread_id, new.run_id, new.status);
    return null;
end
$$;

create function plainloop_tell_approval() returns trigger language plpgsql as $$
begin
    insert into changes (tenant_id, user_id, thread_id, run_id, approval_id, status)
    values (new.tenant_id, new.user_id, new.thread_id, new.run_id, new.approval_id, new.status);
    return null;
end
$$;

create function plainloop_tell_thread() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        insert into changes (tenant_id, user_id, status)
        values (old.tenant_id, old.user_id, 'erased');
    else
        insert into changes (tenant_id, user_id, thread_id, status)
        values (
            new.tenant_id, new.user_id, new.thread_id,
            case tg_op when 'INSERT' then 'begun' else 'renamed' end
        );
    end if;
    return null;
end
$$;

create trigger tell_new after insert on runs for each row execute function plainloop_tell_run();
create trigger tell_status after update of status on runs for each row
when (old.status is distinct from new.status) execute function plainloop_tell_run();

create trigger tell_new after insert on approvals for each row
when (not new.is_client) execute function plainloop_tell_approval();
create trigger tell_status after update of status on approvals for each row
when (not new.is_client and old.status is distinct from new.status)
execute function plainloop_tell_approval();

create trigger tell_ends after insert or delete on threads for each row
execute function plainloop_tell_thread();
create trigger tell_title after update of title on threads for each row
when (old.title is distinct from new.title) execute function plainloop_tell_thread();

select plainloop_protect('changes');
-- A claim for all tenants sets a status too.
update protected_tables set operator_rights = array['select', 'insert', 'delete']
where target = 'changes'::regclass;
select plainloop_mend();
