-- What a step writes, one small statement after the other. As one large statement it was set up
-- whole each time, whatever of it had nothing to do.

-- How attempts ended (`calls`: a list); gives how many there were. answer_position: the place of
-- the step's assistant message, the answer of the attempt that brings no response of its own.
create function plainloop_settle_calls(tenant text, calls json, answer_position int) returns bigint
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
            when new.status = 'succeeded' and new.response is null then answer_position
        end
    from json_to_recordset(calls) as new (
        call_id uuid, status text,
        input_tokens int, cache_read_tokens int, cache_write_tokens int,
        cache_write_long_tokens int, output_tokens int, reasoning_tokens int,
        usage_source text, usage_raw json, cost_usd numeric, price_version text,
        first_token_ms int, duration_ms int, model_answered text, request_id text, stop text,
        error_code text, error_message text, response json, notes json, cache_saved_usd numeric,
        pause_loss_usd numeric, prefix_loss_usd numeric
    )
    where llm_calls.tenant_id = tenant and llm_calls.call_id = new.call_id
        -- Always so. A list alone is taken for a hundred calls, and for them all of a tenant's are
        -- read.
        and new.status = coalesce(new.status, '');
    get diagnostics changed = row_count;
    return changed;
end
$$;

-- All of one step: `message_count` messages of together `message_tokens` tokens, its tools, and the
-- attempts that ended in it (`calls`): of the messages the `answer_index`th, from 0, is what the
-- last one answered. ended_as: it is the run's last. The thread's row is taken before the run's, as
-- everywhere. No row comes back when the fence does not hold: then nothing of it may stay.
create function plainloop_record_step(
    tenant text, thread uuid, run uuid, held_fence bigint, goes_to text, message_count int,
    told_messages json, message_tokens bigint, told_data jsonb, ended_as text, failed_with text,
    failed_because text, number int, at_node text, told_update json, told_avoided json,
    told_notes json, began_at timestamptz, took_ms int, tools json, seq_from int, seq_to int,
    told_events json, idle_ms text, calls json, answer_index int
) returns setof text language plpgsql as $$
#variable_conflict use_column
declare
    place int; -- of the next message
    place_from int;
    tokens_so_far bigint;
    item record;
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
            return;
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
        return;
    end if;
    -- Its rows are locked now: a process that stands still must not hold them for long.
    perform set_config('idle_in_transaction_session_timeout', idle_ms, true);
    if message_count > 0 then
        place_from := place;
        for item in
            select * from json_to_recordset(told_messages)
            as new (role text, parts json, tokens int)
        loop
            insert into messages
                (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
            values (
                tenant, thread, place, run, item.role, item.parts, item.tokens, tokens_so_far
            );
            place := place + 1;
            tokens_so_far := tokens_so_far + item.tokens;
        end loop;
    end if;
    insert into steps
        (tenant_id, run_id, n, node, update, next_node, first_position, last_position,
        avoided, notes, started_at, duration_ms, first_seq, last_seq, events)
    values (
        tenant, run, number, at_node, told_update, goes_to, place_from,
        place_from + message_count - 1, told_avoided, told_notes, began_at, took_ms, seq_from,
        seq_to, told_events
    );
    if json_array_length(tools) > 0 then
        insert into tool_calls
            (tenant_id, run_id, step, tool_call_id, index, name, effect, status, arguments,
            duration_ms, idempotency_key, receipt, started_at)
        select tenant, run, number, new.*
        from json_to_recordset(tools) as new (
            tool_call_id text, index int, name text, effect text, status text, arguments json,
            duration_ms int, idempotency_key text, receipt json, started_at timestamptz
        )
        on conflict (tenant_id, run_id, tool_call_id) do update
        set step = excluded.step, status = excluded.status, duration_ms = excluded.duration_ms,
            receipt = excluded.receipt, started_at = excluded.started_at, result = null;
    end if;
    if json_array_length(calls) > 0 then
        perform plainloop_settle_calls(tenant, calls, place_from + answer_index);
    end if;
    return next idle_ms;
end
$$;
