-- name: save_document
-- A new document, or a new text of one.
insert into staff_documents (tenant_id, name, size_bytes) values ($1, $2, $3)
on conflict (tenant_id, name)
do update set size_bytes = excluded.size_bytes, created_at = now()

-- name: delete_passages
-- All passages of one document.
delete from staff_passages where tenant_id = $1 and name = $2

-- name: save_passage
-- One passage.
insert into staff_passages
    (tenant_id, name, position, heading, content, embedding_model, embedding)
values ($1, $2, $3, $4, $5, $6, $7::real[])

-- name: list_documents
-- The tenant's documents by name.
select
    d.name, d.size_bytes, d.created_at, count(p.position) as passages,
    count(p.embedding) as embedded
from staff_documents as d
left join staff_passages as p on p.tenant_id = d.tenant_id and p.name = d.name
where d.tenant_id = $1 and ($2::text is null or d.name = $2)
group by d.tenant_id, d.name
order by d.name

-- name: delete_document
-- One document.
delete from staff_documents where tenant_id = $1 and name = $2

-- name: has_vectors
-- Whether pgvector is there.
select to_regtype('vector') is not null

-- name: search_text
-- Passages with any of the words: rare words count more, headings more than text.
with words as (
    select distinct word
    from unnest(tsvector_to_array(to_tsvector('english', $2))) as word
), weighed as (
    select
        words.word,
        ln(1 + total.n::float8 / greatest(count(p.position), 1)) as weight
    from words
    cross join (select count(*) as n from staff_passages where tenant_id = $1) as total
    left join staff_passages as p
        on p.tenant_id = $1 and p.search @@ quote_literal(words.word)::tsquery
    group by words.word, total.n
)
select
    p.name, p.position, p.heading, p.content,
    sum(
        weighed.weight
        * (1 + ts_rank('{0, 0, 0.5, 1}', p.search, quote_literal(weighed.word)::tsquery, 1))
    ) as score
from weighed
join staff_passages as p
    on p.tenant_id = $1 and p.search @@ quote_literal(weighed.word)::tsquery
group by p.name, p.position, p.heading, p.content
order by score desc, p.name, p.position
limit $3

-- name: search_vectors
-- Passages nearest in meaning, of those that the same model has embedded.
select name, position, heading, content,
    1 - (embedding::vector <=> $3::real[]::vector) as score
from staff_passages
where tenant_id = $1 and embedding_model = $2
order by embedding::vector <=> $3::real[]::vector, name, position
limit $4
