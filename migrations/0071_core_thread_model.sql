-- Which model answers in a conversation, as its user has chosen it: `provider:model`; null: as the
-- service says.
alter table threads add column model text;
