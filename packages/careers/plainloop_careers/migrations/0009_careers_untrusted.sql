-- What was written by a run that had read text from outside is information for later runs, never
-- instructions: whoever reads it is told. A person's own change of the profile takes the mark away.
alter table careers_profiles add column is_untrusted boolean not null default false;
alter table careers_jobs add column is_untrusted boolean not null default false;
