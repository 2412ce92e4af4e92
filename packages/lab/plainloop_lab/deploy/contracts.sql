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
