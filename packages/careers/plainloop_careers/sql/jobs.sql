-- name: insert_job
-- A job with the tenant's next id ($3: its fields, $4: the statuses that it has reached so); no row
-- when the user has its URL already. Times that the fields say are kept, as those of an export.
with given as (
    select * from jsonb_populate_record(null::careers_jobs, '{"status": "saved"}'::jsonb || $3::jsonb)
),
counter as (
    insert into careers_counters (tenant_id, name, last)
    select $1, 'jobs', 1 from given
    where not exists (
        select from careers_jobs as job
        where job.tenant_id = $1 and job.user_id = $2 and job.url_key = given.url_key
    )
    on conflict (tenant_id, name) do update set last = careers_counters.last + 1
    returning last
),
made as (
    insert into careers_jobs (
        tenant_id, user_id, job_id, company, title, url, url_key, status, notes, salary_min,
        salary_max, salary_currency, salary_period, location, remote_type, tags, contact_name,
        contact_email, source, requirements, nice_to_haves, job_fit, applied_at, created_at,
        updated_at
    )
    select
        $1, $2, counter.last, company, title, url, url_key, status, notes, salary_min, salary_max,
        salary_currency, salary_period, location, remote_type, tags, contact_name, contact_email,
        source, requirements, nice_to_haves, job_fit,
        coalesce(applied_at, case when 'applied' = any($4::text []) then now() end),
        coalesce(created_at, now()), coalesce(updated_at, now())
    from given, counter
    on conflict (tenant_id, user_id, url_key) where url_key is not null do nothing
    returning *
),
stages as (
    insert into careers_job_stages (tenant_id, job_id, status, user_id, reached_at)
    select
        made.tenant_id, made.job_id, stage, made.user_id,
        case
            when stage = 'saved' then made.created_at
            when stage = 'applied' then made.applied_at
            -- Of a job that came with its times nobody knows when it got further.
            when $3::jsonb ?| array['applied_at', 'created_at'] then null
            else made.created_at
        end
    from made, unnest($4::text []) as stage
)
select * from made

-- name: update_job
-- Change the fields given in $4; the others stay. $5: the statuses that it has reached with that, each
-- dated when it is the first time, by $7 if that has its date (status → time). $6: the statuses that it
-- has not reached; those reached within the last day were a mistake and are deleted with their dates.
-- $8: `updated_at` of the change that this one takes back, and `before` it. No row: the user has no such
-- job.
with changed as (
    update careers_jobs as job set
        (
            company, title, url, url_key, status, notes, salary_min, salary_max, salary_currency,
            salary_period, location, remote_type, tags, contact_name, contact_email, source,
            requirements, nice_to_haves, job_fit
        ) = (
            select
                company, title, url, url_key, status, notes, salary_min, salary_max,
                salary_currency, salary_period, location, remote_type, tags, contact_name,
                contact_email, source, requirements, nice_to_haves, job_fit
            from jsonb_populate_record(job, $4::jsonb)
        ),
        applied_at = case
            when $4::jsonb ? 'applied_at' then ($4::jsonb ->> 'applied_at')::timestamptz
            when 'applied' = any($5::text [])
                then coalesce(job.applied_at, ($7::jsonb ->> 'applied')::timestamptz, now())
            when 'applied' = any($6::text []) and job.applied_at > now() - interval '1 day' then null
            else job.applied_at
        end,
        updated_at = case
            when job.updated_at = ($8::jsonb ->> 'updated_at')::timestamptz
                then least(job.updated_at, ($8::jsonb ->> 'before')::timestamptz)
            else now()
        end
    where job.tenant_id = $1 and job.user_id = $2 and job.job_id = $3
    returning job.*
),
stages as (
    insert into careers_job_stages (tenant_id, job_id, status, user_id, reached_at)
    select
        changed.tenant_id, changed.job_id, stage, changed.user_id,
        case
            when stage = 'applied' then changed.applied_at
            else coalesce(($7::jsonb ->> stage)::timestamptz, now())
        end
    from changed, unnest($5::text []) as stage
    on conflict do nothing
),
mistakes as (
    delete from careers_job_stages as stage using changed
    where
        stage.tenant_id = $1 and stage.user_id = $2 and stage.job_id = changed.job_id
        and stage.status = any($6::text []) and stage.reached_at > now() - interval '1 day'
)
select * from changed

-- name: mark_job
-- It was saved by a run that had read text from outside.
update careers_jobs set is_untrusted = true where tenant_id = $1 and user_id = $2 and job_id = $3

-- name: delete_job
-- Remove it; what was written for it stays, on its own.
with gone as (
    delete from careers_jobs where tenant_id = $1 and user_id = $2 and job_id = $3 returning *
),
freed as (
    update careers_documents set job_id = null
    where tenant_id = $1 and user_id = $2 and job_id in (select job_id from gone)
),
stages as (
    delete from careers_job_stages
    where tenant_id = $1 and user_id = $2 and job_id in (select job_id from gone)
)
select * from gone

-- name: load_job
-- One job.
select * from careers_jobs where tenant_id = $1 and user_id = $2 and job_id = $3

-- name: list_stages
-- When a job reached its statuses.
select status, reached_at from careers_job_stages
where tenant_id = $1 and user_id = $2 and job_id = $3

-- name: find_job_by_url
-- The job with this URL key.
select * from careers_jobs where tenant_id = $1 and user_id = $2 and url_key = $3

-- name: list_job_keys
-- What tells the user's jobs from each other, oldest first.
select job_id, url_key, company, title, location, applied_at
from careers_jobs where tenant_id = $1 and user_id = $2 order by job_id

-- name: list_jobs_by_url
-- Which of these URL keys ($3) the user has already.
select url_key, job_id from careers_jobs
where tenant_id = $1 and user_id = $2 and url_key = any($3::text [])

-- name: list_jobs
-- Newest first; each filter is off when null, text filters look inside the field, case aside. $8: a
-- status that it has reached, wherever it stands now.
select job.*, count(*) over () as total
from careers_jobs as job
where
    job.tenant_id = $1 and job.user_id = $2
    and ($3::text is null or job.status = $3)
    and (
        $8::text is null
        or exists (
            select from careers_job_stages as stage
            where stage.tenant_id = $1 and stage.job_id = job.job_id and stage.status = $8
        )
    )
    and ($4::text is null or strpos(lower(job.company), lower($4)) > 0)
    and ($5::text is null or strpos(lower(job.title), lower($5)) > 0)
    and ($6::text is null or strpos(lower(job.url), lower($6)) > 0)
order by job.job_id desc
limit $7

-- name: load_job_page
-- One page in any order ({key}, then the id); every filter is off when null. $14, $15: the last
-- row of the page before.
with matching as (
    select job.*, {key} as sort_value
    from careers_jobs as job
    where
        job.tenant_id = $1 and job.user_id = $2
        and ($3::text [] is null or job.status = any($3))
        and ($4::text [] is null or job.remote_type = any($4))
        and ($5::text is null or strpos(lower(job.company), lower($5)) > 0)
        and ($6::text is null or strpos(lower(job.title), lower($6)) > 0)
        and ($7::text is null or strpos(lower(job.location), lower($7)) > 0)
        and ($8::text is null or lower(btrim($8)) = any(string_to_array(lower(job.tags), ', ')))
        and (
            $9::text is null
            or not exists (
                select 1 from unnest(string_to_array(lower($9), ' ')) as word
                where strpos(
                    lower(concat_ws(' ', job.company, job.title, job.location, job.tags, job.notes)),
                    word
                ) = 0
            )
        )
        and ($10::numeric is null or coalesce(job.salary_max, job.salary_min) >= $10)
        and ($17::text is null or job.salary_currency = $17)
        and ($18::text is null or job.salary_period = $18)
        and ($11::integer is null or job.job_fit >= $11)
        and ($12::date is null or job.created_at >= $12::date)
        and ($13::date is null or job.created_at < $13::date + 1)
)
select *, sort_value::text as sort_key, (select count(*) from matching) as total
from matching
where $14::text is null or (sort_value, job_id) {compare} ($14::{kind}, $15::integer)
order by sort_value {direction}, job_id {direction}
limit $16::integer

-- name: count_jobs
-- By where they stand; applications ever sent and those that were answered.
select
    count(*) as total,
    count(*) filter (where job.status = 'saved') as saved,
    count(*) filter (where job.status = 'applied') as applied,
    count(*) filter (where job.status = 'interviewing') as interviewing,
    count(*) filter (where job.status = 'offer') as offer,
    count(*) filter (where job.status = 'accepted') as accepted,
    count(*) filter (where job.status = 'rejected') as rejected,
    count(*) filter (where job.status = 'withdrawn') as withdrawn,
    count(*) filter (where 'applied' = any(reached.statuses)) as applications,
    count(*) filter (where array['interviewing', 'rejected'] && reached.statuses) as responses
from careers_jobs as job
left join lateral (
    select array_agg(stage.status) as statuses
    from careers_job_stages as stage
    where stage.tenant_id = job.tenant_id and stage.job_id = job.job_id
) as reached on true
where job.tenant_id = $1 and job.user_id = $2

-- name: count_jobs_per_week
-- The last $3 weeks, this one included, by UTC; empty weeks too.
with weeks as (
    select (date_trunc('week', now() at time zone 'utc')::date - 7 * n)::date as week
    from generate_series(0, $3::integer - 1) as n
)
select
    week,
    (
        select count(*) from careers_jobs as job
        where
            job.tenant_id = $1 and job.user_id = $2
            and (job.created_at at time zone 'utc')::date between week and week + 6
    ) as saved,
    (
        select count(*) from careers_job_stages as stage
        where
            stage.tenant_id = $1 and stage.user_id = $2 and stage.status = 'applied'
            and (stage.reached_at at time zone 'utc')::date between week and week + 6
    ) as applied
from weeks
order by week

-- name: list_jobs_named_in
-- The newest jobs whose company stands in the text $3.
select * from careers_jobs
where tenant_id = $1 and user_id = $2 and strpos(lower($3), lower(company)) > 0
order by job_id desc
limit $4

-- name: save_company
-- The company of that name ($3), made when the user has none; its URL is filled in when missing. $5:
-- whether what is written is from outside.
with known as (
    update careers_companies set
        url = coalesce(url, $4),
        outside = outside || case when $5 and url is null and $4 is not null then '{url}' else '{}' end
        ::text []
    where tenant_id = $1 and user_id = $2 and lower(name) = lower($3)
    returning *
),
counter as (
    insert into careers_counters (tenant_id, name, last)
    select $1, 'companies', 1 where not exists (select from known)
    on conflict (tenant_id, name) do update set last = careers_counters.last + 1
    returning last
),
made as (
    insert into careers_companies (tenant_id, user_id, company_id, name, url, outside)
    select
        $1, $2, counter.last, $3, $4,
        array(select 'name' where $5 union all select 'url' where $5 and $4 is not null)
    from counter
    on conflict (tenant_id, user_id, lower(name)) do update set url = coalesce(
        careers_companies.url, excluded.url
    )
    returning *
)
select * from known union all select * from made

-- name: update_company
-- Change the fields given in $4 (url, notes). $5: whether they are from outside.
update careers_companies as item set
    (url, notes) = (select url, notes from jsonb_populate_record(item, $4::jsonb)),
    outside = array(
        select * from unnest(outside) except select * from jsonb_object_keys($4::jsonb)
        union select * from jsonb_object_keys($4::jsonb) where $5
    ),
    updated_at = now()
where item.tenant_id = $1 and item.user_id = $2 and item.company_id = $3
returning item.*

-- name: list_companies
-- By name; those whose name holds $4 (null: all), with the number of the user's jobs there.
select
    item.*, count(*) over () as total,
    (
        select count(*) from careers_jobs as job
        where
            job.tenant_id = item.tenant_id and job.user_id = item.user_id
            and lower(job.company) = lower(item.name)
    ) as jobs
from careers_companies as item
where
    item.tenant_id = $1 and item.user_id = $2
    and ($4::text is null or strpos(lower(item.name), lower($4)) > 0)
order by lower(item.name)
limit $3

-- name: save_contact
-- The person (name $3, e-mail $4) at a company ($5), made when new; a missing e-mail is filled in. $6:
-- whether what is written is from outside.
with known as (
    update careers_contacts set
        email = coalesce(email, $4), updated_at = now(),
        outside = outside || case when $6 and email is null and $4 is not null then '{email}' else '{}' end
        ::text []
    where
        tenant_id = $1 and user_id = $2
        and lower(coalesce(name, email)) = lower(coalesce($3, $4))
        and lower(coalesce(company, '')) = lower(coalesce($5, ''))
    returning *
),
counter as (
    insert into careers_counters (tenant_id, name, last)
    select $1, 'contacts', 1 where not exists (select from known)
    on conflict (tenant_id, name) do update set last = careers_counters.last + 1
    returning last
),
made as (
    insert into careers_contacts (tenant_id, user_id, contact_id, name, email, company, outside)
    select
        $1, $2, counter.last, $3, $4, $5,
        array(
            select field.name
            from (values ('name', $3), ('email', $4), ('company', $5)) as field (name, value)
            where $6 and field.value is not null
        )
    from counter
    on conflict (
        tenant_id, user_id, lower(coalesce(name, email)), lower(coalesce(company, ''))
    ) do update set email = coalesce(careers_contacts.email, excluded.email)
    returning *
)
select * from known union all select * from made

-- name: update_contact
-- Change the fields given in $4 (email, notes). $5: whether they are from outside.
update careers_contacts as item set
    (email, notes) = (select email, notes from jsonb_populate_record(item, $4::jsonb)),
    outside = array(
        select * from unnest(outside) except select * from jsonb_object_keys($4::jsonb)
        union select * from jsonb_object_keys($4::jsonb) where $5
    ),
    updated_at = now()
where item.tenant_id = $1 and item.user_id = $2 and item.contact_id = $3
returning item.*

-- name: list_contacts
-- By name; those whose name or e-mail holds $4 and whose company holds $5 (null: all).
select *, count(*) over () as total
from careers_contacts
where
    tenant_id = $1 and user_id = $2
    and ($4::text is null or strpos(lower(concat_ws(' ', name, email)), lower($4)) > 0)
    and ($5::text is null or strpos(lower(company), lower($5)) > 0)
order by lower(coalesce(name, email)), contact_id
limit $3
