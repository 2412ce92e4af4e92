-- The verdict of an ended replay as its report last gave it, for lists; null: no report was read.
alter table replays
    add column verdict text check (verdict in ('passed', 'failed', 'undecided'));
