-- How hard a call's model was asked to think, and in sums the model that was requested: where a
-- vendor answers with another one, that one's price counts (agent/providers/answered_models.py).

-- As it was sent; null: the model's own, or it has no levels.
alter table llm_calls add column effort text;
-- Null: added up before these were told apart.
alter table usage_hours add column effort text;
alter table usage_hours add column requested_model text;
alter table usage_days add column effort text;
alter table usage_days add column requested_model text;
