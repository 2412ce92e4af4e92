-- A database of a version whose core made these functions has them already.

-- Tables that grow can be kept by months: partitions by ranges of their ids, which are UUIDv7 and
-- begin with their time. `plainloop migrate --by-months` makes them so while everybody works on
-- (months/partitions.py); no statement differs. Here a plain table becomes the first part of a
-- monthly one of its name, with all it holds. Its check `plainloop_month`, validated before, says
-- that its ids lie in that range: nothing is read.
create or replace function plainloop_begin_months(target regclass, key text, begins_at timestamptz,
    ends_at timestamptz) returns void language plpgsql as $$
declare
    own text := (select relname from pg_class where oid = target);
    options text := (
        select coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '')
        from pg_class where oid = target
    );
    made text[];
    item record;
begin
    execute format('lock table %s in access exclusive mode', target);
    if exists (select from pg_depend where refobjid = target and classid = 'pg_rewrite'::regclass)
        or exists (select from pg_constraint where confrelid = target)
        or exists (select from pg_trigger where tgrelid = target and not tgisinternal)
        or exists (select from pg_publication_rel where prrelid = target)
    then
        raise 'views, foreign keys, triggers or publications of % would stay with its old rows', own
            using errcode = 'dependent_objects_still_exist';
    end if;
    select array_agg(
        case when indisprimary
            then format('alter table %I add primary key (%s)', own, (
                select string_agg(quote_ident(attname), ', ' order by place)
                from unnest(indkey) with ordinality as columns (attnum, place)
                join pg_attribute using (attnum)
                where attrelid = target
            ))
            else pg_get_indexdef(indexrelid)
        end
    ) into made
    from pg_index where indrelid = target;
    execute format('alter table %s rename to %I', target, own || '_before');
    for item in select indexrelid::regclass as index, relname
        from pg_index join pg_class on oid = indexrelid where indrelid = target
    loop
        execute format('alter index %s rename to %I', item.index, item.relname || '_before');
    end loop;
    execute format(
        'create table %I (like %s including all excluding indexes) partition by range (%I)',
        own, target, key
    );
    execute format('alter table %I drop constraint plainloop_month', own);
    for i in 1 .. cardinality(made) loop
        execute made[i];
    end loop;
    execute format(
        'alter table %I attach partition %s for values from (%L) to (%L)', own, target,
        plainloop_first_id(begins_at), plainloop_first_id(ends_at)
    );
    execute format('alter table %s drop constraint plainloop_month', target);
    execute format(
        'create table %I partition of %I default%s', own || '_others', own, options
    );
    -- Who goes through the parent is held by the parent's policies; nobody else goes to a part.
    for item in select grantee, privilege_type
        from pg_class, aclexplode(relacl) where oid = target and grantee <> relowner
    loop
        execute format(
            'grant %s on %I to %s', item.privilege_type, own,
            case when item.grantee = 0 then 'public' else item.grantee::regrole::text end
        );
        execute format(
            'revoke %s on %s from %s', item.privilege_type, target,
            case when item.grantee = 0 then 'public' else item.grantee::regrole::text end
        );
    end loop;
    for item in select polname from pg_policy where polrelid = target loop
        execute format('drop policy %I on %s', item.polname, target);
    end loop;
    execute format(
        'alter table %s disable row level security, no force row level security', target
    );
    update protected_tables set target = own::regclass
    where protected_tables.target = plainloop_begin_months.target;
    perform plainloop_mend(); -- backups read the parts
end
$$;

-- One more month, before it begins. Where it was made too late, what came meanwhile lies among the
-- others, and moves.
create or replace function plainloop_add_month(target regclass, key text, month timestamptz) returns void
language plpgsql as $$
declare
    own text := (select relname from pg_class where oid = target);
    others regclass := own || '_others';
    part text := format('%s_%s', own, to_char(month at time zone 'UTC', 'YYYY_MM'));
    first uuid := plainloop_first_id(month);
    next uuid := plainloop_first_id((month at time zone 'UTC' + interval '1 month') at time zone 'UTC');
begin
    if to_regclass(part) is not null then -- another process was quicker
        return;
    end if;
    execute format(
        'create table %I (like %s including all)%s', part, target,
        (
            select coalesce(' with (' || array_to_string(reloptions, ', ') || ')', '')
            from pg_class where oid = others
        )
    );
    execute format('lock table %s in access exclusive mode', others);
    execute format(
        'with late as (delete from %s where %I >= %L and %I < %L returning *)'
        ' insert into %I select * from late', others, key, first, key, next, part
    );
    execute format(
        'alter table %s attach partition %I for values from (%L) to (%L)', target, part, first, next
    );
    perform plainloop_mend();
end
$$;
