-- The sums of single threads and runs are found by their keys: a page of them reads no others.
-- Written by whoever adds up, never by a turn.
create index usage_runs_by_run on usage_runs (tenant_id, run_id);
create index usage_runs_by_thread on usage_runs (tenant_id, thread_id);
