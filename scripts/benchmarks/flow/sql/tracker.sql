-- name: create_job
-- A new job, as it is stored.
insert into bench_jobs (tenant_id, user_id, company, title, status, location, salary_max, notes)
values ($1, $2, $3, $4, $5, $6, $7, $8)
returning job_id, company, title, status, location, salary_max, notes

-- name: update_job
-- Change a job.
update bench_jobs set status = coalesce($4, status), notes = coalesce($5, notes)
where tenant_id = $1 and user_id = $2 and job_id = $3
returning job_id, company, title, status, location, salary_max, notes
