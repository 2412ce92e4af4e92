-- Runs that outlive the process and the connection that began them.

-- An idempotency key is its user's: two users may choose the same one.
drop index runs_idempotency;
create unique index runs_idempotency on runs (tenant_id, user_id, idempotency_key)
where idempotency_key is not null;

-- A flush of events whose COMMIT was cut off is repeated over itself.
do $$
begin
    if exists (select from pg_roles where rolname = 'plainloop_operator')
        and pg_has_role(current_user, 'plainloop_operator', 'member')
    then
        grant update on run_events to plainloop_operator;
    end if;
end
$$;
