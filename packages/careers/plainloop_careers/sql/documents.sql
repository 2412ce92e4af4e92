-- name: save_document
-- A new version of that kind of text for a job ($5), or the first version of a new document.
with known as (
    update careers_documents set
        latest_version = latest_version + 1, title = $4, company = $6, updated_at = now()
    where tenant_id = $1 and user_id = $2 and kind <> 'other' and kind = $3 and job_id = $5
    returning document_id, latest_version
),
counter as (
    insert into careers_counters (tenant_id, name, last)
    select $1, 'documents', 1 where not exists (select from known)
    on conflict (tenant_id, name) do update set last = careers_counters.last + 1
    returning last
),
made as (
    insert into careers_documents (tenant_id, user_id, document_id, kind, title, job_id, company)
    select $1, $2, counter.last, $3, $4, $5::integer, $6 from counter
    on conflict (tenant_id, user_id, job_id, kind) where kind <> 'other' and job_id is not null
    do update set latest_version = careers_documents.latest_version + 1, updated_at = now()
    returning document_id, latest_version
),
head as (select * from known union all select * from made)
insert into careers_document_versions (
    tenant_id, user_id, document_id, version, content, sources, passed, problems, run_id
)
select $1, $2, document_id, latest_version, $7, $8, $9, $10, $11 from head
returning document_id, version

-- name: load_document
-- One version ($4; null: the latest) with its head.
select
    head.document_id, head.kind, head.title, head.job_id, head.company, head.latest_version,
    item.version, item.content, item.sources, item.passed, item.problems, item.run_id,
    item.created_at
from careers_documents as head
inner join careers_document_versions as item
    on item.tenant_id = head.tenant_id and item.document_id = head.document_id
where
    head.tenant_id = $1 and head.user_id = $2 and head.document_id = $3
    and item.version = coalesce($4::integer, head.latest_version)

-- name: add_version
-- The next version of a document that is there, written by hand.
with head as (
    update careers_documents set latest_version = latest_version + 1, updated_at = now()
    where tenant_id = $1 and user_id = $2 and document_id = $3
    returning document_id, latest_version
)
insert into careers_document_versions (
    tenant_id, user_id, document_id, version, content, sources, passed, problems
)
select $1, $2, document_id, latest_version, $4, $5, $6, $7 from head
returning version

-- name: list_versions
-- All versions of a document, newest first, without their content.
select item.version, item.passed, item.run_id, item.created_at
from careers_document_versions as item
where item.tenant_id = $1 and item.user_id = $2 and item.document_id = $3
order by item.version desc

-- name: lock_document
-- Until the transaction's end.
select from careers_documents
where tenant_id = $1 and user_id = $2 and document_id = $3
for update

-- name: delete_document
-- With all its versions.
with gone as (
    delete from careers_documents
    where tenant_id = $1 and user_id = $2 and document_id = $3
    returning document_id
)
delete from careers_document_versions
where
    tenant_id = $1 and user_id = $2 and document_id = $3
    and document_id in (select document_id from gone)

-- name: load_document_page
-- Heads, the latest change first; $3, $4: filters; $5, $6: the last one of the page before.
select
    document_id, kind, title, job_id, company, latest_version, created_at, updated_at,
    updated_at::text as sort_key, (
        select json_build_object(
            'run_id', item.run_id, 'passed', item.passed,
            'claims', json_array_length(item.sources), 'problems', json_array_length(item.problems)
        )
        from careers_document_versions as item
        where
            item.tenant_id = $1 and item.document_id = careers_documents.document_id
            and item.version = latest_version
    ) as latest, (
        select coalesce(json_agg(
            json_build_object(
                'version', item.version, 'run_id', item.run_id,
                'claims', json_array_length(item.sources),
                'problems', json_array_length(item.problems)
            )
            order by item.version desc
        ), '[]'::json)
        from careers_document_versions as item
        where
            item.tenant_id = $1 and item.document_id = careers_documents.document_id
            and item.run_id is not null
    ) as written
from careers_documents
where
    tenant_id = $1 and user_id = $2
    and ($3::integer is null or job_id = $3)
    and ($4::text is null or kind = $4)
    and ($5::text is null or (updated_at, document_id) < ($5::timestamptz, $6::integer))
order by updated_at desc, document_id desc
limit $7
