-- What a person saw while judging: hidden: not which side is which. revealed: likewise, and the
-- names since. changed: another verdict than before the names were shown. names: them from the
-- beginning. null: not known, as nobody said so.
alter table replay_verdicts add column seen text
    check (seen in ('hidden', 'revealed', 'changed', 'names'));
