-- The tracker of the engine's own tests.
create table tracker_jobs (
    tenant_id text not null,
    user_id text not null,
    job_id integer not null,
    company text not null,
    title text not null,
    status text not null default 'saved',
    location text,
    remote_type text,
    salary integer,
    is_favorite boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (tenant_id, job_id)
);

create table tracker_contacts (
    tenant_id text not null,
    user_id text not null,
    contact_id integer not null,
    name text not null,
    email text,
    company text,
    created_at timestamptz not null default now(),
    primary key (tenant_id, contact_id)
);

select plainloop_protect('tracker_jobs'), plainloop_protect('tracker_contacts');
