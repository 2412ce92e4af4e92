-- name: list_applied
-- What was applied. expands: a version that does not know it may work on; null: nobody noted that.
-- The columns themselves are missing where an older version applied the last one.
select name, checksum, applied_at, (to_jsonb(schema_migrations) ->> 'expands')::boolean as expands,
    (to_jsonb(schema_migrations) ->> 'version')::int as version
from schema_migrations

-- name: insert_applied
-- The migration $1 was applied just now. version: null unless it is functions.sql.
insert into schema_migrations (name, checksum, undoing, expands, version)
values ($1, $2, $3, $4, $5)
on conflict (name) do update
set checksum = excluded.checksum, version = excluded.version, applied_at = now()

-- name: record_older
-- What the baseline has made is what the older migrations $1 make, with checksums $2.
insert into schema_migrations (name, checksum, expands)
select * from unnest($1::text[], $2::text[], $3::boolean[])

-- name: list_undoing
-- How to take back each thing that stands in the schema by a statement of its own.
select format('drop %s if exists %s cascade', named.type, named.identity) as statement
from (
    select 'pg_class'::regclass as class_id, oid from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select 'pg_proc'::regclass, oid from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select 'pg_type'::regclass, oid from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
) as found,
    lateral pg_identify_object(found.class_id, found.oid, 0) as named
where not exists ( -- an extension's, an identity column's, a partition
    select from pg_depend
    where classid = found.class_id and objid = found.oid and deptype in ('e', 'i', 'a')
)

-- name: list_relied_on
-- What statements of a version that works on may rely on, by table or function: offers are used,
-- asks must be met by what they write.
with tables as (
    select oid, relname::text as name, relkind from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm')
        and not relispartition and relname <> 'schema_migrations'
), columns as (
    select name, relkind, attname, attnotnull, atthasdef or attidentity <> '' as is_filled,
        format_type(atttypid, atttypmod) as type
    from tables join pg_attribute on attrelid = tables.oid where attnum > 0 and not attisdropped
), keys as (
    select name, format('unique on %s', regexp_replace(
        pg_get_indexdef(indexrelid), '^CREATE UNIQUE INDEX \S+ ON (ONLY )?', ''
    )) as what
    from tables join pg_index on indrelid = tables.oid where indisunique
), checks as ( -- of what is written: of the rows that are there it is the same if not valid
    select name, replace(pg_get_constraintdef(pg_constraint.oid), ' NOT VALID', '') as what
    from tables join pg_constraint on conrelid = tables.oid where contype in ('c', 'f', 'x')
), domains as materialized ( -- checks that ask whether a value, or a row of several, is one of a domain's
    select checks.*, asked[1] as attname, asked[2] as fields, to_regtype(asked[3]) as domain
    from checks, regexp_match(
        what, '^CHECK \(\(\((?:(\w+)|ROW\(([\w, ]+)\))\)::(\w+) IS (?:NOT|DISTINCT FROM) NULL\)\)$'
    ) as asked
), domain_checks as materialized ( -- in the words of a check of the table's own
    select name, domains.what, replace(
        replace(pg_get_constraintdef(pg_constraint.oid), ' NOT VALID', ''),
        case when fields is null then 'VALUE' else '(VALUE).' end, coalesce(attname, '')
    ) as means
    from domains join pg_type as kind on kind.oid = domain join pg_constraint on contypid = domain
    where (name, attname, true) in (select name, attname, attnotnull from columns) or fields = (
        select string_agg(field.attname, ', ' order by attnum)
        from pg_type as base join pg_attribute as field on attrelid = base.typrelid
        where base.oid = kind.typbasetype
    )
)
select 'offers' as kind, name, format('column %s.%s %s', name, attname, type) as what from columns
union all
select 'offers', name, what from keys
union all
select 'offers', proname::text, format('function %s', oid::regprocedure) from pg_proc
where pronamespace = 'public'::regnamespace
union all
select 'asks', name, what from keys
union all
select 'asks', name, format('a value for %s.%s', name, attname) from columns
where attnotnull and not is_filled and relkind in ('r', 'p')
union all
select 'asks', name, format('%s: %s', name, coalesce(means, what))
from checks left join domain_checks using (name, what)

-- name: list_undone
-- How to take back what the applied migrations $1 made, the newest first; null: nobody noted it.
select undoing from schema_migrations where name = any($1) order by applied_at desc, name desc

-- name: forget
-- The migrations $1 are to be applied again.
delete from schema_migrations where name = any($1)

-- name: list_tables
-- What stands of the tables $1, and of those that the migrations $2 have made.
with wanted as (
    select name from unnest($1::text[]) as name
    union
    select substring(statement from '^drop table if exists public\."?(\w+)"? cascade$')
    from schema_migrations, unnest(undoing) as statement
    where schema_migrations.name = any($2::text[])
)
select wanted.name, pg_class.oid is not null as is_there,
    coalesce(pg_class.relrowsecurity or pg_class.relkind in ('v', 'm'), false) as is_protected,
    array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped order by attnum
    ) as columns
from wanted
left join pg_class on pg_class.relname = wanted.name
    and pg_class.relnamespace = 'public'::regnamespace and pg_class.relkind in ('r', 'p', 'v', 'm')
where wanted.name is not null order by wanted.name

-- name: drop_statements
-- What replicas of the release before made of their statements: a column may have changed its type.
select plainloop_drop_statements()
