-- name: copy_thread
-- A new thread $4, with title $5 and no messages, like the user's thread $3.
insert into threads (tenant_id, thread_id, user_id, pack, kind, title, tags, data, model)
select tenant_id, $4, user_id, pack, kind, $5, tags, data, model
from threads where tenant_id = $1 and user_id = $2 and thread_id = $3
returning thread_id, user_id, title, pack, kind, next_position as messages, data, model,
    created_at, updated_at
