-- What administrators did. Rows are added, never changed: only the names of a user who is erased
-- go, and a tenant that moves takes its rows along.

create table audit_entries (
    tenant_id text not null,
    entry_id uuid not null,
    at timestamptz not null default clock_timestamp(),
    -- A user of the tenant, or the account that gave the command; '': erased. None of both names is
    -- called user_id: erasing a user deletes the rows that have one.
    actor text not null,
    via text not null check (via in ('http', 'cli')),
    -- Of the API key that the user asked with.
    key_id uuid,
    action text not null,
    -- Which budget, key, …; '': none.
    target text not null,
    -- The user whom it is about; '': none, or erased.
    about text not null,
    -- Numbers and fixed words, nothing that people typed.
    details json not null,
    primary key (tenant_id, entry_id)
);
select plainloop_protect('audit_entries');

create function plainloop_keep_audit() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' and old.tenant_id = current_setting('app.moved_tenant', true) then
        return old;
    end if;
    if tg_op = 'UPDATE'
        and new.actor in (old.actor, '') and new.about in (old.about, '')
        and (new.tenant_id, new.entry_id, new.at, new.via, new.key_id, new.action, new.target,
            new.details::text) is not distinct from
            (old.tenant_id, old.entry_id, old.at, old.via, old.key_id, old.action, old.target,
            old.details::text)
    then
        return new;
    end if;
    raise exception 'the audit trail is only added to' using errcode = 'insufficient_privilege';
end
$$;
create trigger kept before update or delete on audit_entries for each row
execute function plainloop_keep_audit();
