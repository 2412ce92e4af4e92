-- Statements that are often a transaction by themselves are kept as functions, made when a process
-- starts (agent/store/transactions.py): one round trip sets the tenant and the role and runs them.
-- They are the callers' rights that hold inside: no `security definer`.

-- parameters: the types of all statements'; columns: of their rows, empty when none has any, and
-- then the function gives how many rows it changed. needs_row: one without a row undoes them all.
create function plainloop_keep_statements(
    name text, statements text[], have_rows boolean[], parameters text[], columns text,
    needs_row boolean
) returns void language plpgsql as $make$
declare
    types text := array_to_string(parameters || array['text', 'text'], ', ');
    body text := format(
        'perform set_config(''app.tenant_id'', $%s, true), set_config(''role'', $%s, true),'
        ' set_config(''lock_timeout'', ''10000'', true);',
        cardinality(parameters) + 1, cardinality(parameters) + 2
    );
begin
    for i in 1 .. cardinality(statements) loop
        body := body || case when have_rows[i] then ' return query ' else ' ' end
            || statements[i] || E'\n; get diagnostics changed = row_count; '
            || case when needs_row then 'if changed = 0 then raise no_data_found; end if;' else '' end;
    end loop;
    execute format(
        'create or replace function %I(%s) returns %s language plpgsql as %L', name, types,
        case when columns = '' then 'bigint' else format('table (%s)', columns) end,
        format(
            E'#variable_conflict use_column\ndeclare changed bigint; begin %s %s end', body,
            case when columns = '' then 'return changed;' end
        )
    );
end
$make$;

-- A column may have changed its type: what was kept before a migration is made again.
create function plainloop_drop_statements() returns void language plpgsql as $drop$
declare
    kept regprocedure;
begin
    for kept in
        select oid from pg_proc
        where pronamespace = 'public'::regnamespace and proname ~ '^plainloop_.*_[0-9a-f]{12}$'
            and proowner = (select oid from pg_roles where rolname = current_user)
    loop
        execute format('drop function %s', kept);
    end loop;
end
$drop$;
