-- A deploy is judged before it serves: which code began a run, which one each replica has, and what
-- it was judged to be.

-- Fingerprint of the code, prompts, rules, packs and settings of whoever began the run; null: a
-- command, or a replica of an older version.
alter table runs add column code text;

-- The same of the replica; null: of an older version.
alter table replicas add column code text;
-- Those whose conversations it repeats step by step, its own among them.
alter table replicas add column repeats text[] not null default '{}';
-- False: it is judged still, or was refused.
alter table replicas add column takes_runs boolean not null default true;
-- What it was judged to be, without a word of a conversation; null: it was not judged.
alter table replicas add column verdict json;
