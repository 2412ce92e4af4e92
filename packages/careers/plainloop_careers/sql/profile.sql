-- name: load_profile
-- The user's profile.
select content, is_onboarded, is_untrusted, updated_at from careers_profiles where tenant_id = $1 and user_id = $2

-- name: save_profile
-- Replace the text; whether the interview is done stays as it is. $4: a run wrote it that had read
-- text from outside.
insert into careers_profiles (tenant_id, user_id, content, is_untrusted) values ($1, $2, $3, $4)
on conflict (tenant_id, user_id) do update set
    content = excluded.content, is_untrusted = excluded.is_untrusted, updated_at = now()

-- name: save_onboarded
-- The interview is done.
insert into careers_profiles (tenant_id, user_id, is_onboarded) values ($1, $2, true)
on conflict (tenant_id, user_id) do update set is_onboarded = true, updated_at = now()

-- name: save_resume
-- A new version; the counter's row lock keeps two imports apart.
with counter as (
    insert into careers_counters (tenant_id, name, last, user_id)
    values ($1, 'resumes of ' || $2, 1, $2)
    on conflict (tenant_id, name) do update set last = careers_counters.last + 1
    returning last
)
insert into careers_resumes (tenant_id, user_id, version, name, format, raw_text, data)
select $1, $2, counter.last, $3, $4, $5, $6 from counter
returning version

-- name: save_resume_data
-- What a parser made of version $3; a person's correction is never written over.
update careers_resumes set data = $4
where tenant_id = $1 and user_id = $2 and version = $3 and not is_corrected

-- name: correct_resume
-- A person's own data for version $3 (null: the newest), as a new version beside it. $4 null: as
-- version $3 has it, to use it once more.
with base as (
    select * from careers_resumes
    where tenant_id = $1 and user_id = $2 and ($3::integer is null or version = $3)
    order by version desc
    limit 1
),
counter as (
    update careers_counters set last = last + 1
    where tenant_id = $1 and name = 'resumes of ' || $2 and exists (select from base)
    returning last
)
insert into careers_resumes (
    tenant_id, user_id, version, name, format, raw_text, data, is_corrected
)
select
    $1, $2, counter.last, base.name, base.format, base.raw_text, coalesce($4::json, base.data),
    $4 is not null or base.is_corrected
from base, counter
returning version

-- name: list_resumes
-- All versions, newest first, without text and data. same_as: the first version with the same file and
-- data, as one has that is used again.
select
    version, name, format, data is not null as is_parsed, is_corrected, created_at,
    nullif(
        min(version) over (partition by name, md5(raw_text), md5(data::text)), version
    ) as same_as
from careers_resumes
where tenant_id = $1 and user_id = $2
order by version desc

-- name: delete_resumes
-- All versions.
delete from careers_resumes where tenant_id = $1 and user_id = $2

-- name: load_resume
-- Version $3 (null: the newest).
select version, name, format, raw_text, data, is_corrected, created_at
from careers_resumes
where tenant_id = $1 and user_id = $2 and ($3::integer is null or version = $3)
order by version desc
limit 1
