-- The benchmark's domain, and the one table that the plain loops keep.
create table bench_jobs (
    tenant_id text not null,
    job_id bigint generated always as identity,
    user_id text not null,
    company text not null,
    title text not null,
    status text not null,
    location text,
    salary_max integer,
    notes text,
    primary key (tenant_id, job_id)
);
create table bench_texts (
    tenant_id text not null,
    user_id text not null,
    name text not null,
    content text not null,
    primary key (tenant_id, user_id, name)
);
select plainloop_protect('bench_jobs');
select plainloop_protect('bench_texts');

create table bench_raw_messages (
    thread_id uuid not null,
    position integer not null,
    role text not null,
    content json not null,
    primary key (thread_id, position)
);
