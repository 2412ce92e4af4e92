-- name: find_threads
-- A user's threads whose ids lie in a range: those that begin with what was typed.
select thread_id from threads
where tenant_id = $1 and user_id = $2 and thread_id between $3 and $4
order by thread_id
limit $5

-- name: find_runs
-- The same for a user's runs.
select run_id from runs
where tenant_id = $1 and user_id = $2 and run_id between $3 and $4
order by run_id
limit $5

-- name: load_last_run
-- A user's newest run, in the thread $3 when it is given: ids are in the order of time.
select run_id from runs
where tenant_id = $1 and user_id = $2 and ($3::uuid is null or thread_id = $3)
order by run_id desc
limit 1
