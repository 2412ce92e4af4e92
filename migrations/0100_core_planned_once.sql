-- What a turn writes is planned once for each connection, and then only done. By itself the server
-- plans such a statement anew each time where some of its parts often have nothing to do, as that
-- looks cheaper; planning it takes twice as long as doing it, or more.

-- Like that of six parameters. is_by_key: all rows are found by keys, whatever it is given and
-- however large the tables become, so that one plan is the best for ever.
create function plainloop_keep_statements(
    name text, statements text[], have_rows boolean[], parameters text[], columns text,
    needs_row boolean, is_by_key boolean
) returns void language plpgsql as $make$
declare
    types text := array_to_string(parameters || array['text', 'text'], ', ');
    body text := format(
        'perform set_config(''app.tenant_id'', $%s, true), set_config(''role'', $%s, true),'
        ' set_config(''lock_timeout'', ''10000'', true)%s;',
        cardinality(parameters) + 1, cardinality(parameters) + 2,
        case when is_by_key then
            ', set_config(''plan_cache_mode'', ''force_generic_plan'', true),'
            ' set_config(''enable_seqscan'', ''off'', true),'
            ' set_config(''enable_hashjoin'', ''off'', true)'
        else '' end
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

-- For versions that do not know of it.
create or replace function plainloop_keep_statements(
    name text, statements text[], have_rows boolean[], parameters text[], columns text,
    needs_row boolean
) returns void language sql as $$
    select plainloop_keep_statements(
        name, statements, have_rows, parameters, columns, needs_row, false
    )
$$;
