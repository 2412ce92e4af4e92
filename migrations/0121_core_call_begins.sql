-- A call begins when its row is written, not when its transaction did: that of a step may have been
-- open for minutes (test_a_call_begins_when_it_is_recorded_not_with_its_transaction).
alter table llm_calls alter column created_at set default clock_timestamp();
