-- What whoever asks wants of one run is one value: a new option is no new column.

-- {option: value}, of those that were asked for; null: none, or a row of an older version, whose
-- columns of these names hold them. `tags` is for reports as well; `client_tools` and
-- `tells_reasoning` are filled for replicas of the version before, and may go with a later one.
alter table runs add column options json;
-- Null: as agent.reasoning says.
alter table runs alter column tells_reasoning drop not null;
