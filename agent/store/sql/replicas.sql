-- name: read_position
-- How far the database has written.
select pg_current_wal_lsn()::text

-- name: has_reached
-- Whether a read replica has come so far.
select coalesce(pg_last_wal_replay_lsn() >= $1::text::pg_lsn, false)

-- name: measure_lag
-- How many seconds a read replica may lag behind the database's position $1 (null: not known): since
-- its last commit. Null for a copy that cannot tell, infinite before the first commit.
select case
    when not pg_is_in_recovery() then null
    when pg_last_wal_replay_lsn() >= $1::text::pg_lsn then 0.0
    else coalesce(
        extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 'infinity'
    )
end::float8
