-- A follow-up e-mail for a job is no version of its letter: each kind of text has its own document.
alter table careers_documents drop constraint careers_documents_kind_check;
alter table careers_documents add constraint careers_documents_kind_check check (
    kind in ('cover_letter', 'follow_up', 'thank_you', 'other')
);
drop index careers_documents_letter;
-- One of each kind per job: writing it again is a new version.
create unique index careers_documents_letter
on careers_documents (tenant_id, user_id, job_id, kind)
where kind <> 'other' and job_id is not null;
