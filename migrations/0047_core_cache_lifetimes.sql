-- What is written to a provider's cache for longer has a price of its own, so it is counted apart.

-- Part of the input, disjoint from `cache_write_tokens`, which rows of before have alone.
alter table llm_calls add column cache_write_long_tokens integer;
alter table usage_hours add column cache_write_long_tokens bigint;
alter table usage_days add column cache_write_long_tokens bigint;
alter table usage_runs add column cache_write_long_tokens bigint;
