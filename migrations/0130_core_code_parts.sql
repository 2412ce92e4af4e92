-- Which code began a run, part by part: what a recorded replay takes from the recording may be
-- another today.

create table code_parts (
    name text primary key, -- digest of `parts`
    parts json not null, -- a digest, or a setting's value, by the part's name; no word of a tenant
    created_at timestamptz not null default now()
);
select plainloop_open_to_operator('code_parts', 'select, insert');
grant select on code_parts to public;

-- Null: a version of before, or another system's run.
alter table runs add column parts_name text; -- of `code_parts`
