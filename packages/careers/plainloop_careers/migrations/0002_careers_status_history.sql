-- When a job first reached each status, so that "applied" can mean applied or later, with a date.
-- And two more ends: withdrawn by the user, an offer accepted.

alter table careers_jobs drop constraint careers_jobs_status_check;
alter table careers_jobs add constraint careers_jobs_status_check check (
    status in ('saved', 'applied', 'interviewing', 'offer', 'accepted', 'rejected', 'withdrawn')
);

create table careers_job_stages (
    tenant_id text not null,
    job_id integer not null,
    status text not null,
    user_id text not null,
    -- Null: it did, before dates were kept.
    reached_at timestamptz,
    primary key (tenant_id, job_id, status)
);
create index careers_job_stages_of_user on careers_job_stages (tenant_id, user_id, status);

-- What is known of older jobs: when they were saved and first applied to. Forced row-level security
-- would hide every row from the migration itself.
do $$
declare
    was_forced boolean := (
        select relforcerowsecurity from pg_class where oid = 'careers_jobs'::regclass
    );
begin
    alter table careers_jobs no force row level security;
    insert into careers_job_stages (tenant_id, job_id, status, user_id, reached_at)
    select
        job.tenant_id, job.job_id, stage, job.user_id,
        case stage when 'saved' then job.created_at when 'applied' then job.applied_at end
    from careers_jobs as job
    cross join lateral unnest(array['saved', 'applied', 'interviewing', 'offer', 'rejected'])
        as stage
    where
        stage in ('saved', job.status)
        or (stage = 'applied' and (job.applied_at is not null or job.status <> 'saved'))
        or (stage = 'interviewing' and job.status = 'offer');
    if was_forced then
        alter table careers_jobs force row level security;
    end if;
end
$$;

select plainloop_protect('careers_job_stages'::regclass);
