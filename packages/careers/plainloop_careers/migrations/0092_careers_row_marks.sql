-- The fields of a contact, or a company, that a run wrote after it had read text from outside: they
-- stay from outside for whoever reads the row later, until somebody else writes them anew.
alter table careers_contacts add column outside text [] not null default '{}';
alter table careers_companies add column outside text [] not null default '{}';

-- Until now what came with a marked job was known by the job alone.
update careers_contacts as item set outside = '{name,email,company,notes}'
where exists (
    select from careers_jobs as job
    where
        job.tenant_id = item.tenant_id and job.user_id = item.user_id and job.is_untrusted
        and lower(job.company) = lower(item.company)
);
update careers_companies as item set outside = '{name,url,notes}'
where exists (
    select from careers_jobs as job
    where
        job.tenant_id = item.tenant_id and job.user_id = item.user_id and job.is_untrusted
        and lower(job.company) = lower(item.name)
);
