-- name: save_rating
-- What the user $3 thought of the answer of the own run $2; nothing when there is none.
insert into ratings (tenant_id, run_id, thread_id, user_id, rating, note)
select tenant_id, run_id, thread_id, user_id, $4, $5 from runs
where tenant_id = $1 and run_id = $2 and user_id = $3 and status <> 'queued'
on conflict (tenant_id, run_id) do update
set rating = excluded.rating, note = excluded.note, rated_at = now()
returning run_id, rating, note, rated_at

-- name: delete_rating
-- The user $3 takes back what was thought of the own run $2.
delete from ratings where tenant_id = $1 and run_id = $2 and user_id = $3

-- name: list_ratings
-- What users thought of the thread's answers; $3 null: of all, else of this run's.
select run_id, rating, note, rated_at from ratings
where tenant_id = $1 and thread_id = $2 and ($3::uuid is null or run_id = $3) order by run_id
