-- What a person says of single answers of a replayed conversation, by turn: `{"0": {"verdict", "note"}}`;
-- the row's own verdict is what most of them come to. {}: of the whole conversation at once.
alter table replay_verdicts add column turns jsonb not null default '{}';
