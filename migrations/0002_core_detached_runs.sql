-- Runs that outlive the process and the connection that began them.

-- An idempotency key is its user's: two users may choose the same one.
drop index runs_idempotency;
create unique index runs_idempotency on runs (tenant_id, user_id, idempotency_key)
where idempotency_key is not null;
