-- What a call was for: its worker, or the one that its run went on to (agent/usage/dimensions.py).

alter table usage_hours add column feature text;
-- Of what is added up already only a call's own worker is known.
update usage_hours set feature = coalesce(worker, role);
