-- What several steps write at once, thread, run and steps each in one statement; functions that are
-- called as expressions, for which the server sets up nothing.

-- As that of 0100. A statement `select plainloop_…(…)` that has rows is a call of which only needs
-- to be known that it did not fail.
create or replace function plainloop_keep_statements(
    name text, statements text[], have_rows boolean[], parameters text[], columns text,
    needs_row boolean, is_by_key boolean
) returns void language plpgsql as $make$
declare
    types text := array_to_string(parameters || array['text', 'text'], ', ');
    body text := format(
        'told := set_config(''app.tenant_id'', $%s, true) || set_config(''role'', $%s, true)'
        ' || set_config(''lock_timeout'', ''10000'', true)%s;',
        cardinality(parameters) + 1, cardinality(parameters) + 2,
        case when is_by_key then
            ' || set_config(''plan_cache_mode'', ''force_generic_plan'', true)'
            ' || set_config(''enable_seqscan'', ''off'', true)'
            ' || set_config(''enable_hashjoin'', ''off'', true)'
        else '' end
    );
begin
    for i in 1 .. cardinality(statements) loop
        if needs_row and statements[i] ~ '^select plainloop_\w+\([^()]*\)$' then
            body := body || format(E' told := %s;', substr(statements[i], length('select ')));
            continue;
        end if;
        body := body || case when have_rows[i] then ' return query ' else ' ' end
            || statements[i] || E'\n; get diagnostics changed = row_count; '
            || case when needs_row then 'if changed = 0 then raise no_data_found; end if;' else '' end;
    end loop;
    execute format(
        'create or replace function %I(%s) returns %s language plpgsql as %L', name, types,
        case when columns = '' then 'bigint' else format('table (%s)', columns) end,
        format(
            E'#variable_conflict use_column\n'
            'declare changed bigint; told text; begin %s %s end', body,
            case when columns = '' then 'return changed;' end
        )
    );
end
$make$;

-- How attempts ended (`calls`: a list); gives how many there were. The answer of one that brings no
-- response of its own is the message at `place` and its `answer`; null: it has none.
create function plainloop_settle(tenant text, calls json, place int) returns bigint
language plpgsql as $$
#variable_conflict use_column
declare
    changed bigint;
begin
    update llm_calls
    set status = new.status,
        input_tokens = new.input_tokens, cache_read_tokens = new.cache_read_tokens,
        cache_write_tokens = new.cache_write_tokens,
        cache_write_long_tokens = new.cache_write_long_tokens,
        output_tokens = new.output_tokens, reasoning_tokens = new.reasoning_tokens,
        usage_source = new.usage_source, usage_raw = new.usage_raw, cost_usd = new.cost_usd,
        price_version = new.price_version, first_token_ms = new.first_token_ms,
        duration_ms = new.duration_ms, model_answered = new.model_answered,
        request_id = new.request_id, stop = new.stop, error_code = new.error_code,
        error_message = new.error_message, response = new.response, notes = new.notes,
        cache_saved_usd = new.cache_saved_usd, pause_loss_usd = new.pause_loss_usd,
        prefix_loss_usd = new.prefix_loss_usd,
        response_position = case
            when new.status = 'succeeded' and new.response is null then place + new.answer
        end
    from json_to_recordset(calls) as new (
        call_id uuid, status text,
        input_tokens int, cache_read_tokens int, cache_write_tokens int,
        cache_write_long_tokens int, output_tokens int, reasoning_tokens int,
        usage_source text, usage_raw json, cost_usd numeric, price_version text,
        first_token_ms int, duration_ms int, model_answered text, request_id text, stop text,
        error_code text, error_message text, response json, notes json, cache_saved_usd numeric,
        pause_loss_usd numeric, prefix_loss_usd numeric, answer int
    )
    where llm_calls.tenant_id = tenant and llm_calls.call_id = new.call_id
        -- Always so. A list alone is taken for a hundred calls, and for them all of a tenant's are
        -- read.
        and new.status = coalesce(new.status, '');
    get diagnostics changed = row_count;
    return changed;
end
$$;

-- All that steps write: `message_count` messages of together `message_tokens` tokens, the steps,
-- their tools, and the attempts that ended in them (null: none). goes_to: the last one's next node;
-- ended_as: it is the run's last. The thread's row is taken before the run's, as everywhere.
-- Raises: no_data_found when the fence does not hold: then nothing of it may stay.
create function plainloop_record_steps(
    tenant text, thread uuid, run uuid, held_fence bigint, goes_to text, ended_as text,
    failed_with text, failed_because text, message_count int, told_messages json,
    message_tokens bigint, told_data jsonb, told_steps json, tools json, calls json, idle_ms text
) returns bigint language plpgsql as $$
#variable_conflict use_column
declare
    place int; -- of the first message
    tokens_so_far bigint;
    told text;
begin
    if message_count > 0 or told_data is not null then
        update threads
        set next_position = next_position + message_count,
            total_tokens = total_tokens + message_tokens,
            data = data || coalesce(told_data, '{}')
        where tenant_id = tenant and thread_id = thread
        returning next_position - message_count, total_tokens - message_tokens
        into place, tokens_so_far;
        if not found then
            raise no_data_found;
        end if;
    end if;
    -- An update that names the status has its trigger looked at.
    if ended_as is null then
        update runs
        set next_node = goes_to, error_code = failed_with, error_message = failed_because,
            attempt = 1
        where tenant_id = tenant and run_id = run and fence = held_fence
            and status in ('running', 'waiting');
    else
        update runs
        set next_node = goes_to, error_code = failed_with, error_message = failed_because,
            attempt = 1, status = ended_as, ended_at = now(), owner = null, lease_until = null
        where tenant_id = tenant and run_id = run and fence = held_fence
            and status in ('running', 'waiting');
    end if;
    if not found then
        raise no_data_found;
    end if;
    -- Its rows are locked now: a process that stands still must not hold them for long.
    told := set_config('idle_in_transaction_session_timeout', idle_ms, true);
    if message_count > 0 then
        insert into messages
            (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
        select tenant, thread, place + new.n, run, new.role, new.parts, new.tokens,
            tokens_so_far + new.before
        from json_to_recordset(told_messages)
            as new (n int, role text, parts json, tokens int, before bigint);
    end if;
    insert into steps
        (tenant_id, run_id, n, node, update, next_node, first_position, last_position, avoided,
        notes, started_at, duration_ms, first_seq, last_seq, events)
    select tenant, run, new.n, new.node, new.update, new.next_node, place + new.first,
        place + new.last, new.avoided, new.notes, new.started_at, new.duration_ms, new.first_seq,
        new.last_seq, new.events
    from json_to_recordset(told_steps) as new (
        n int, node text, update json, next_node text, first int, last int, avoided json,
        notes json, started_at timestamptz, duration_ms int, first_seq int, last_seq int,
        events json
    );
    if tools is not null then
        insert into tool_calls
            (tenant_id, run_id, step, tool_call_id, index, name, effect, status, arguments,
            duration_ms, idempotency_key, receipt, started_at)
        select tenant, run, new.*
        from json_to_recordset(tools) as new (
            step int, tool_call_id text, index int, name text, effect text, status text,
            arguments json, duration_ms int, idempotency_key text, receipt json,
            started_at timestamptz
        )
        on conflict (tenant_id, run_id, tool_call_id) do update
        set step = excluded.step, status = excluded.status, duration_ms = excluded.duration_ms,
            receipt = excluded.receipt, started_at = excluded.started_at, result = null;
    end if;
    if calls is not null then
        return plainloop_settle(tenant, calls, place);
    end if;
    return 0;
end
$$;

-- Begins the transaction in which a step's tools write, if the run's fence holds; without a lock: a
-- tool may take long, and who asks for the thread meanwhile must not wait. label: the transaction
-- says whose it is, so that the run's next owner can end it.
create function plainloop_open_step(
    tenant text, rights text, run uuid, held_fence bigint, label text, lock_ms text, idle_ms text
) returns boolean language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    told text := set_config('app.tenant_id', tenant, true) || set_config('role', rights, true)
        || set_config('lock_timeout', lock_ms, true)
        || set_config('idle_in_transaction_session_timeout', idle_ms, true);
begin
    perform from runs
    where tenant_id = tenant and run_id = run and fence = held_fence
        and status in ('running', 'waiting');
    if not found then
        return false;
    end if;
    told := set_config('application_name', label, true);
    return true;
end
$$;
