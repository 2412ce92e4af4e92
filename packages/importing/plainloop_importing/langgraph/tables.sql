-- name: list_threads
-- A page of the threads after $1.
select distinct thread_id from checkpoints
where $1::text is null or thread_id > $1
order by thread_id
limit $2

-- name: choose_schema
-- Read the tables of this schema; LangGraph.js may have one of its own.
select set_config('search_path', $1::text, true)

-- name: list_columns
-- The columns of the writes; `task_path` came with version 9.
select attname::text as name from pg_attribute
where attrelid = to_regclass('checkpoint_writes') and attnum > 0 and not attisdropped

-- name: load_checkpoints
-- A thread's checkpoints in the order in which they were made.
select checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint::text as checkpoint,
    metadata::text as metadata
from checkpoints
where thread_id = $1
order by checkpoint_ns, checkpoint_id

-- name: load_writes
-- A thread's writes, in the order in which a step applies them.
select checkpoint_ns as namespace, checkpoint_id, task_id, {path} as task_path, idx, channel,
    type as kind, blob
from checkpoint_writes
where thread_id = $1
order by checkpoint_ns, checkpoint_id, task_path, task_id, idx

-- name: load_blobs
-- The values of channels $3, each of its version in $4.
select blobs.channel, blobs.type, blobs.blob
from unnest($3::text[], $4::text[]) as wanted (channel, version)
join checkpoint_blobs as blobs
    on blobs.thread_id = $1 and blobs.checkpoint_ns = $2
    and blobs.channel = wanted.channel and blobs.version = wanted.version

-- name: list_sqlite_threads
-- The threads of a SQLite file.
select distinct thread_id from checkpoints order by thread_id

-- name: load_sqlite_checkpoints
-- The same of a SQLite file.
select checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata
from checkpoints
where thread_id = ?
order by checkpoint_ns, checkpoint_id

-- name: load_sqlite_writes
-- The same of a SQLite file.
select checkpoint_ns as namespace, checkpoint_id, task_id, {path} as task_path, idx, channel,
    type as kind, value as blob
from writes
where thread_id = ?
order by checkpoint_ns, checkpoint_id, task_path, task_id, idx

-- name: load_sqlite_values
-- One checkpoint of a SQLite file.
select type, checkpoint from checkpoints
where thread_id = ? and checkpoint_ns = ? and checkpoint_id = ?
