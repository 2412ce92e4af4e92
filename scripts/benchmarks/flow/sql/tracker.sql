-- name: create_job
-- A new job, as it is stored.
insert into bench_jobs (tenant_id, user_id, company, title, status, location, salary_max, notes)
values ($1, $2, $3, $4, $5, $6, $7, $8)
returning job_id, company, title, status, location, salary_max, notes

-- name: list_jobs, alone
-- A user's jobs, newest first; text filters match a part.
select job_id, company, title, status, location, salary_max, notes
from bench_jobs
where tenant_id = $1 and user_id = $2
    and ($3::text is null or status = $3)
    and ($4::text is null or company ilike '%' || $4 || '%')
    and ($5::text is null or title ilike '%' || $5 || '%')
order by job_id desc
limit $6

-- name: update_job
-- Change a job.
update bench_jobs set status = coalesce($4, status), notes = coalesce($5, notes)
where tenant_id = $1 and user_id = $2 and job_id = $3
returning job_id, company, title, status, location, salary_max, notes

-- name: load_text, alone
-- A stored text.
select content from bench_texts where tenant_id = $1 and user_id = $2 and name = $3
