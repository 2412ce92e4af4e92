-- The careers domain: tracker, documents, profile, résumés. Ids are small numbers per tenant:
-- models and people read and write them, and a UUID costs twenty times the tokens.

-- The last number given out. Its row lock puts a tenant's inserts of one kind in a row, which is
-- what keeps "look for the URL, then insert" from doubling a job.
create table careers_counters (
    tenant_id text not null,
    name text not null,
    last integer not null,
    -- Whose counter it is; '': the tenant's. So that erasing a user finds it.
    user_id text not null default '',
    primary key (tenant_id, name)
);

create table careers_jobs (
    tenant_id text not null,
    job_id integer not null,
    user_id text not null,
    company text not null check (company <> ''),
    title text not null check (title <> ''),
    url text,
    -- The URL without what does not change the page; null with it.
    url_key text,
    status text not null default 'saved' check (
        status in ('saved', 'applied', 'interviewing', 'offer', 'rejected')
    ),
    notes text,
    salary_min integer check (salary_min >= 0),
    salary_max integer check (salary_max >= 0),
    location text,
    remote_type text check (remote_type in ('onsite', 'hybrid', 'remote')),
    -- "python, berlin": comma and space between.
    tags text,
    contact_name text,
    contact_email text,
    source text,
    -- One a line.
    requirements text,
    nice_to_haves text,
    job_fit smallint check (job_fit between 0 and 5),
    -- When it first became applied (or further); null before.
    applied_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, job_id)
);
-- A user's jobs, newest first.
create index careers_jobs_of_user on careers_jobs (tenant_id, user_id, job_id);
create unique index careers_jobs_url on careers_jobs (tenant_id, user_id, url_key)
where url_key is not null;

create table careers_companies (
    tenant_id text not null,
    company_id integer not null,
    user_id text not null,
    name text not null check (name <> ''),
    url text,
    notes text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, company_id)
);
create unique index careers_companies_name
on careers_companies (tenant_id, user_id, lower(name));

create table careers_contacts (
    tenant_id text not null,
    contact_id integer not null,
    user_id text not null,
    -- At least one of name and email.
    name text,
    email text,
    company text,
    notes text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, contact_id),
    check (coalesce(name, email) is not null)
);
-- One contact per person and company; the e-mail address stands in for a missing name.
create unique index careers_contacts_person on careers_contacts (
    tenant_id, user_id, lower(coalesce(name, email)), lower(coalesce(company, ''))
);

create table careers_documents (
    tenant_id text not null,
    document_id integer not null,
    user_id text not null,
    kind text not null check (kind in ('cover_letter', 'other')),
    title text not null,
    -- The job it was written for; null: none, or it is gone.
    job_id integer,
    company text,
    latest_version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, document_id)
);
-- One letter per job: writing it again is a new version.
create unique index careers_documents_letter on careers_documents (tenant_id, user_id, job_id)
where kind = 'cover_letter' and job_id is not null;
create index careers_documents_of_user on careers_documents (tenant_id, user_id, document_id);

create table careers_document_versions (
    tenant_id text not null,
    document_id integer not null,
    version integer not null check (version >= 1),
    user_id text not null,
    content text not null,
    -- [{"sentence", "sources": ["resume.work[0].name", …]}]
    sources json not null default '[]',
    -- Whether checks and evaluator passed it; null: not checked (written by hand).
    passed boolean,
    -- What the check still found wrong, one sentence each.
    problems json not null default '[]',
    run_id uuid,
    created_at timestamptz not null default now(),
    primary key (tenant_id, document_id, version)
);

create table careers_profiles (
    tenant_id text not null,
    user_id text not null,
    content text not null default '',
    -- The interview is done. Set by the interview only, never by a tool.
    is_onboarded boolean not null default false,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, user_id)
);

-- Every import is a new version; the highest one counts.
create table careers_resumes (
    tenant_id text not null,
    user_id text not null,
    version integer not null check (version >= 1),
    -- The file's name.
    name text not null,
    format text not null check (format in ('json', 'markdown', 'text', 'pdf', 'docx')),
    raw_text text not null,
    -- JSON Resume; null until a parser has structured the text.
    data json,
    -- A person corrected `data`: no parser writes over it.
    is_corrected boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (tenant_id, user_id, version)
);

select plainloop_protect(name::regclass)
from unnest(array[
    'careers_counters', 'careers_jobs', 'careers_companies', 'careers_contacts',
    'careers_documents', 'careers_document_versions', 'careers_profiles', 'careers_resumes'
]) as name;
