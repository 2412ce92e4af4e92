-- name: list_statements
-- Those of these names that are kept, with the types of their parameters.
select proname, proargtypes::regtype[]::text[] as types from pg_proc
where proname = any($1::text[]) and pronamespace = 'public'::regnamespace

-- name: read_position
-- How far the database has written.
select pg_current_wal_lsn()::text

-- name: has_reached
-- Whether a read replica has come so far.
select coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)

-- name: measure_lag
-- For how many seconds a read replica may lack what the database has written until $1 (null: not
-- known): since the last commit that it has. Null for a copy that cannot tell, infinite before the
-- first commit.
select case
    when not pg_is_in_recovery() then null
    when pg_last_wal_replay_lsn() >= $1::text::pg_lsn then 0.0
    else coalesce(
        extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 'infinity'
    )
end::float8

-- name: take_turn
-- Processes that start at once make them one after the other.
select pg_advisory_xact_lock(hashtextextended('plainloop statements', 0))

-- name: keep_statements
-- Make a function: its name, the statements, which have rows; types of parameters, columns; whether
-- each needs a row, and whether all find theirs by keys.
select plainloop_keep_statements($1, $2, $3, $4, $5, $6, $7)

-- name: drop_statements
-- Before their tables change.
select plainloop_drop_statements()
