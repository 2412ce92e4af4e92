-- name: record_audit
-- One deed more.
insert into audit_entries
    (tenant_id, entry_id, actor, via, key_id, action, target, about, details)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)

-- name: list_audit
-- At most $3 entries, newest first, all older than entry $2 (null: any). The actor contains $4, the
-- action with a dot at its end begins with $5 (`budget.`), the object or the details contain $6.
select entry_id, at, actor, via, key_id, action, target, about, details from audit_entries
where tenant_id = $1 and ($2::uuid is null or entry_id < $2)
    and strpos(lower(actor), lower($4)) > 0 and starts_with(action || '.', $5)
    and strpos(lower(concat_ws(' ', about, target, details)), lower($6)) > 0
order by entry_id desc limit $3

-- name: blank_audit_of_user
-- What was done stays, without the name.
update audit_entries
set actor = case when actor = $2 and via = 'http' then '' else actor end,
    about = case when about = $2 then '' else about end
where tenant_id = $1 and (about = $2 or (actor = $2 and via = 'http'))
