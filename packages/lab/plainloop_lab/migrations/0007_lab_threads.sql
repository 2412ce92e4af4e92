-- Erasing a thread erases its rows in replays and rollouts, whose tables keep growing: without these
-- it reads all rows of the tenant, and erasing a user does so for each thread
-- (test_erasing_a_thread_reads_few_rows_of_other_replays).
create index replay_items_by_thread on replay_items (tenant_id, thread_id)
where thread_id is not null;
create index replay_answers_by_thread on replay_answers (tenant_id, thread_id)
where thread_id is not null;
create index replay_batch_requests_by_thread on replay_batch_requests (tenant_id, thread_id)
where thread_id is not null;
create index replay_verdicts_by_thread on replay_verdicts (tenant_id, thread_id)
where thread_id is not null;

-- The same columns in an order by which a thread alone is found too.
drop index rollout_runs_by_thread;
create index rollout_runs_by_thread on rollout_runs (tenant_id, thread_id, rollout_id);
