-- What a provider's cache saved, and what was lost with it, at the prices of the call. In USD; null:
-- not known, or a row of before.

-- Against the same call without a cache; below 0 where writing cost more than was read.
alter table llm_calls add column cache_saved_usd numeric;
-- Prompts that had to be sent again: nobody came back in time, or their beginning had changed.
alter table llm_calls add column pause_loss_usd numeric;
alter table llm_calls add column prefix_loss_usd numeric;

alter table usage_hours add column cache_saved_usd numeric;
alter table usage_hours add column pause_loss_usd numeric;
alter table usage_hours add column prefix_loss_usd numeric;

alter table usage_days add column cache_saved_usd numeric;
alter table usage_days add column pause_loss_usd numeric;
alter table usage_days add column prefix_loss_usd numeric;

alter table usage_runs add column cache_saved_usd numeric;
alter table usage_runs add column pause_loss_usd numeric;
alter table usage_runs add column prefix_loss_usd numeric;
