-- version: 20
-- The functions that statements of the service call. `migrate` applies this file whole, after the
-- numbered files, where the database has an older version of it, or another file of this version.
-- Every change adds one to the version. Replicas of the version before serve on meanwhile: a change
-- that they could not work with is a new function, with another name or other parameters.
--
-- What a service does often is a transaction by itself, in one round trip: a function that is
-- given one JSON document, its arguments by name, and with them the tenant and the rights that it
-- takes on first (agent/store/connecting/queryable.py, `call`). What a turn writes has parameters
-- instead: within a document a list is parsed four times, as a parameter twice. They are the
-- caller's rights that hold inside: no `security definer`. Where all rows are found by keys, one
-- plan is the best for ever, and the settings of the function say so.

-- Take on the tenant and the role (`none`: no other) until the transaction ends; gives the tenant.
create or replace function plainloop_act_as(tenant text, rights text) returns text
language sql as $$
    select case
        when set_config('role', rights, true) || set_config('lock_timeout', '10000', true) is not null
        then set_config('app.tenant_id', tenant, true)
    end
$$;

-- As the document of a call says.
create or replace function plainloop_act_as(given json) returns text language sql as $$
    select plainloop_act_as(given ->> 'tenant_id', given ->> 'rights')
$$;

-- The first id that can be made at that moment.
create or replace function plainloop_first_id(at timestamptz) returns uuid
language sql immutable strict parallel safe as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

create or replace function plainloop_id_time(id uuid) returns timestamptz
language sql immutable strict parallel safe as $$
    select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;

-- Before every call of that run or replay, which was begun before them: months that are older need
-- not be looked at. A day earlier, as each id is of the clock of the process that made it; and the
-- first of all where the id is no UUIDv7.
create or replace function plainloop_first_call(begun uuid) returns uuid
language sql immutable strict parallel safe as $$
    select case when substr(begun::text, 15, 1) = '7'
        then plainloop_first_id(
            greatest(plainloop_id_time(begun) - interval '1 day', '1970-01-01Z'))
        else '00000000-0000-0000-0000-000000000000' end
$$;

-- Assign a chat's run that begins to what runs beside it; the canary whose candidate answers it.
-- Where plainloop-lab is not installed, nothing runs beside.
create or replace function plainloop_assign(tenant text, thread uuid, run uuid) returns uuid
language plpgsql as $$
begin
    if to_regproc('lab_assign') is null then
        return null;
    end if;
    return lab_assign(tenant, thread, run);
end
$$;

-- The canary whose candidate answers that run.
create or replace function plainloop_load_canary(tenant text, run uuid) returns uuid
language plpgsql stable as $$
begin
    if to_regclass('rollout_runs') is null then
        return null;
    end if;
    return (
        select rollout_id from rollout_runs
        where tenant_id = tenant and run_id = run and side = 'candidate'
    );
end
$$;

-- Leave word of what happened for the webhooks, in the transaction in which it happens; nothing where
-- plainloop-operations was never installed.
create or replace function plainloop_enqueue_event(
    tenant text, usr text, thread uuid, run uuid, kind text, told json
) returns void language plpgsql as $$
begin
    if to_regclass('webhooks') is not null then
        insert into webhook_deliveries
            (tenant_id, webhook_id, user_id, thread_id, run_id, event, data)
        select tenant, webhook_id, usr, thread, run, kind, told
        from webhooks
        where tenant_id = tenant and disabled_at is null and kind = any (events)
            and (user_id is null or user_id = usr);
    end if;
end
$$;

-- THREADS

create or replace function plainloop_create_thread(given json) returns table (
    thread_id uuid, user_id text, title text, pack text, kind text, messages int, data jsonb,
    model text, created_at timestamptz, updated_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
begin
    -- No row: the id is taken, by anybody in the tenant.
    return query insert into threads (tenant_id, thread_id, user_id, pack, kind, title)
    select tenant, thread_id, user_id, pack, kind, title
    from json_populate_record(null::threads, given)
    on conflict do nothing
    returning threads.thread_id, threads.user_id, threads.title, threads.pack, threads.kind,
        next_position, threads.data, threads.model, threads.created_at, threads.updated_at;
end
$$;

create or replace function plainloop_load_thread(given json) returns table (
    thread_id uuid, user_id text, title text, pack text, kind text, messages int, data jsonb,
    model text, created_at timestamptz, updated_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
    own_user text := given ->> 'user_id';
    thread uuid := given ->> 'thread_id';
begin
    return query
    select thread_id, user_id, title, pack, kind, next_position, data, model, created_at, updated_at
    from threads where tenant_id = tenant and user_id = own_user and thread_id = thread;
end
$$;

-- The newest whole exchanges of at most `most_tokens` tokens up to the position `until`; at least
-- the newest one. An exchange begins at a user message, and at the thread's first.
-- Walks back over the primary key and stops at the cut, so a long thread costs no more.
-- Materialized: behind row-level security only a plain column compares by index.
create or replace function plainloop_load_messages(tenant text, thread uuid, until int, most_tokens bigint)
returns table ("position" int, role text, parts json, tokens int, tokens_before bigint)
language sql stable as $$
with newest as materialized (
    select position, tokens_before + tokens - most_tokens as tokens_floor
    from messages
    where tenant_id = tenant and thread_id = thread and position <= coalesce(until, 2147483647)
    order by position desc limit 1
), cut as materialized (
    select newest.position as newest, coalesce((
        select position + 1
        from messages
        where tenant_id = tenant and thread_id = thread and position <= newest.position
            and tokens_before < newest.tokens_floor
        order by position desc limit 1
    ), 0) as position
    from newest
), start as materialized (
    select cut.newest, coalesce((
        select position
        from messages
        where tenant_id = tenant and thread_id = thread and (role = 'user' or position = 0)
            and position >= cut.position and position <= cut.newest
        order by position limit 1
    ), (
        select position
        from messages
        where tenant_id = tenant and thread_id = thread and role = 'user' and position <= cut.newest
        order by position desc limit 1
    ), 0) as position
    from cut
)
select messages.position, role, parts, tokens, tokens_before
from start cross join lateral (
    select *
    from messages
    where tenant_id = tenant and thread_id = thread
        and position >= start.position and position <= start.newest
) as messages
order by messages.position
$$;

-- The templates of the pack that fit the sentence, whose first word is `first_word`, as far as they
-- are the user's or everybody's; at most `most`. Those on which triage was of two minds are none.
create or replace function plainloop_find_templates(
    tenant text, of_pack text, own_user text, sentence text, first_word text, most int
) returns table (
    template text, answer jsonb, criteria text, vote_id text, own bigint, own_within bigint,
    users bigint, users_within bigint, is_imported boolean, is_imported_within boolean, uses bigint
) language sql stable as $$
select template, (array_agg(answer order by vote_id))[1] as answer,
    (array_agg(criteria order by vote_id))[1] as criteria,
    (array_agg(vote_id::text order by vote_id))[1] as vote_id,
    count(*) filter (where user_id = own_user and not is_within) as own,
    count(*) filter (where user_id = own_user and is_within) as own_within,
    count(distinct user_id) filter (where not is_within) as users,
    count(distinct user_id) filter (where is_within) as users_within,
    bool_or(user_id = '') as is_imported,
    bool_or(user_id = '' and is_within) as is_imported_within,
    (array_agg(uses order by vote_id))[1] as uses
from learned_votes
where tenant_id = tenant and pack = of_pack and opening in (first_word, '')
    and sentence like coalesce(nullif(pattern, ''), template) group by template
having count(distinct answer) = 1 and not bool_or(is_dropped)
    and (bool_or(user_id in (own_user, '')) or count(distinct user_id) > 1)
order by template limit most
$$;

-- RUNS

-- Whether the user may have one more open run: fewer than `most_runs` work or are queued (null: no
-- limit); helpers' count with their callers'. Others wait for the answer until the transaction ends.
-- The holder waits for no row of another transaction: a thread's row is taken before.
create or replace function plainloop_take_run_slot(tenant text, own_user text, most_runs int) returns boolean
language plpgsql as $$
begin
    if most_runs is null then
        return true;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(tenant || chr(31) || own_user, 78));
    -- Each status by an index that holds only runs that have not ended.
    return most_runs > (
        select count(*) from runs
        where tenant_id = tenant and user_id = own_user and design not like 'helper:%'
            and (status = 'running' or status = 'queued')
    );
end
$$;

-- Append the message, `new_parts` of `new_tokens` tokens, to the user's thread, where none is queued
-- (and which ends at `expected`), and start its run, whose columns are `new_run`, for `lease_s` s. A
-- thread without a title has `new_title` then. No row: the thread is not there, or busy. One row of
-- nulls: the user has `max_open_runs` open runs.
-- With it come the thread's data, as it is at this moment, and the canary that answers; the newest
-- exchanges before it, of at most `history_tokens` tokens, and the templates that fit the sentence:
-- what the run would read next (of a thread of more than `long` messages it may not need them). And
-- the answers of the pack's functions `reads` (`prompt_reads`): each gives json, and takes on tenant
-- and rights, as it may be called alone as well.
create or replace function plainloop_begin_run(
    tenant text, rights text, own_user text, thread uuid, new_parts json, new_tokens int,
    new_run json, lease_s float8, expected int, new_title text, max_open_runs int,
    history_tokens bigint, long int, of_pack text, sentence text, first_word text,
    most_templates int, reads text[]
) returns table (
    "position" int, data jsonb, canary_id uuid, history json, templates json, prompt_read jsonb
) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off as $$
#variable_conflict use_column
declare
    tokens_so_far bigint;
    begun runs;
    name text;
    answer json;
    done text := plainloop_act_as(tenant, rights);
begin
    if max_open_runs is not null then
        perform from threads
        where tenant_id = tenant and user_id = own_user and thread_id = thread for no key update;
        if not plainloop_take_run_slot(tenant, own_user, max_open_runs) then
            return next;
            return;
        end if;
    end if;
    update threads
    set next_position = next_position + 1, total_tokens = total_tokens + new_tokens,
        -- The newest thread, if made just now, stays where it is in the lists: no index is written.
        updated_at = case when next_position = 0 and updated_at > now() - interval '1 second'
            and not exists (
                select from threads as newer
                where newer.tenant_id = tenant and newer.updated_at > threads.updated_at
            ) then updated_at else now() end,
        title = coalesce(nullif(title, ''), new_title, '')
    where tenant_id = tenant and user_id = own_user and thread_id = thread
        and (expected is null or next_position = expected)
        and not exists (
            select from runs
            where tenant_id = tenant and thread_id = thread and status = 'queued'
        )
    returning next_position - 1, total_tokens - new_tokens, threads.data
    into position, tokens_so_far, data;
    if not found then
        return;
    end if;
    -- The thread's row is ours now: nobody says anything meanwhile.
    if history_tokens is not null and position between 1 and long then
        select json_agg(past order by past.position) into history
        from plainloop_load_messages(tenant, thread, null, history_tokens) as past;
    end if;
    begun.created_at := now(); -- into a row that is not null only what the document has is read
    begun := json_populate_record(begun, new_run);
    begun.tenant_id := tenant;
    begun.input_position := position;
    begun.lease_until := now() + make_interval(secs => lease_s);
    insert into messages
        (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
    values (
        tenant, thread, position, begun.run_id, 'user', new_parts, new_tokens, tokens_so_far
    );
    insert into runs values (begun.*);
    canary_id := plainloop_assign(tenant, thread, begun.run_id);
    if sentence is not null then
        templates := '[]';
        -- Most sentences fit none, and asking that takes a third of reading them.
        if exists (
            select from learned_votes
            where tenant_id = tenant and pack = of_pack and opening in (first_word, '')
                and sentence like coalesce(nullif(pattern, ''), template)
        ) then
            select coalesce(json_agg(fitting order by template), '[]') into templates
            from plainloop_find_templates(
                tenant, of_pack, own_user, sentence, first_word, most_templates
            ) as fitting;
        end if;
    end if;
    prompt_read := '{}';
    foreach name in array reads loop
        execute format('select %I($1)', name) into answer
        using json_build_object('tenant_id', tenant, 'rights', rights, 'user_id', own_user);
        prompt_read := prompt_read || jsonb_build_object(name, answer);
    end loop;
    return next;
end
$$;

-- Begin the transaction in which a step's tools write, if the run's fence holds; without a lock: a
-- tool may take long, and who asks for the thread meanwhile must not wait. label: the transaction
-- says whose it is, so that the run's next owner can end it.
create or replace function plainloop_open_step(given json) returns boolean language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
    tenant text := plainloop_act_as(given);
    run uuid := given ->> 'run_id';
    held_fence bigint := given ->> 'fence';
    told text := set_config('lock_timeout', given ->> 'lock_ms', true)
        || set_config('idle_in_transaction_session_timeout', given ->> 'idle_ms', true);
begin
    perform from runs
    where tenant_id = tenant and run_id = run and fence = held_fence
        and status in ('running', 'waiting');
    if not found then
        return false;
    end if;
    told := set_config('application_name', given ->> 'label', true);
    return true;
end
$$;

-- All that steps write: messages of together `new_tokens` tokens, the steps, their tools, the
-- attempts that ended in them (`ended_calls`), what triage learned in them, and the attempt that
-- follows (null: none). node_after: the last one's; end_status: it is the run's last. The thread's
-- row is taken before the run's, as everywhere.
-- Raises: no_data_found when the fence does not hold: then nothing of it may stay.
create or replace function plainloop_record_steps(
    tenant text, rights text, idle_ms text, thread uuid, run uuid, held_fence bigint,
    node_after text, end_status text, end_code text, end_message text, message_count int,
    new_tokens bigint, is_placed boolean, new_data jsonb, new_messages json, new_steps json,
    new_tools json, ended_calls json, learned json, next_call json
) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    place int; -- of the first message
    tokens_so_far bigint;
    run_tags text[];
    attempts int;
    -- Its rows will be locked: a process that stands still must not hold them for long.
    done text := plainloop_act_as(tenant, rights)
        || set_config('idle_in_transaction_session_timeout', idle_ms, true);
begin
    if message_count > 0 or new_data is not null then
        update threads
        set next_position = next_position + message_count,
            total_tokens = total_tokens + new_tokens, data = data || coalesce(new_data, '{}')
        where tenant_id = tenant and thread_id = thread
        returning next_position - message_count, total_tokens - new_tokens
        into place, tokens_so_far;
        if not found then
            raise no_data_found;
        end if;
    end if;
    -- A lock is less to log than an update: the last step alone says what the run does next.
    if end_status is null then
        select tags, attempt into run_tags, attempts from runs
        where tenant_id = tenant and run_id = run and fence = held_fence
            and status in ('running', 'waiting') for no key update;
    else
        update runs
        set next_node = node_after, error_code = end_code, error_message = end_message,
            attempt = 1, status = end_status, ended_at = now(), owner = null, lease_until = null
        where tenant_id = tenant and run_id = run and fence = held_fence
            and status in ('running', 'waiting')
        returning tags into run_tags;
    end if;
    if not found then
        raise no_data_found;
    elsif attempts > 1 then
        update runs set attempt = 1 where tenant_id = tenant and run_id = run;
    end if;
    if message_count > 0 then
        insert into messages
            (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
        select tenant, thread, place + new.n, run, new.role, new.parts, new.tokens,
            tokens_so_far + new.before
        from json_to_recordset(new_messages)
            as new (n int, role text, parts json, tokens int, before bigint);
    elsif is_placed then
        select position + 1 into place from messages
        where tenant_id = tenant and thread_id = thread and run_id = run
        order by position desc limit 1;
    end if;
    insert into steps
        (tenant_id, run_id, n, node, update, next_node, first_position, last_position, avoided,
        notes, started_at, duration_ms, first_seq, last_seq, events)
    select tenant, run, new.n, new.node, new.update, new.next_node, place + new.first,
        place + new.last, new.avoided, new.notes, new.started_at, new.duration_ms, new.first_seq,
        new.last_seq, new.events
    from json_to_recordset(new_steps) as new (
        n int, node text, update json, next_node text, first int, last int, avoided json,
        notes json, started_at timestamptz, duration_ms int, first_seq int, last_seq int,
        events json
    );
    if new_tools is not null then
        insert into tool_calls
            (tenant_id, run_id, step, tool_call_id, index, name, effect, status, arguments,
            duration_ms, idempotency_key, receipt, started_at)
        select tenant, run, step, tool_call_id, index, name, effect, status, arguments,
            duration_ms, idempotency_key, receipt, started_at
        from json_populate_recordset(null::tool_calls, new_tools)
        on conflict (tenant_id, run_id, tool_call_id) do update
        set step = excluded.step, status = excluded.status, duration_ms = excluded.duration_ms,
            receipt = excluded.receipt, started_at = excluded.started_at, result = null;
    end if;
    if ended_calls is not null then
        done := plainloop_settle(tenant, ended_calls, place);
    end if;
    if learned is not null then
        done := plainloop_learn(tenant, learned);
    end if;
    -- That the run is held was seen above.
    if next_call is not null then
        insert into llm_calls (
            tenant_id, tags, status, call_id, user_id, thread_id, run_id, step, node, worker, role,
            attempt, provider, model, estimated_input_tokens, fingerprint, system_hash, tools_hash,
            first_position, last_position, extra_messages, token_factor, replay_id, processing,
            effort, most_usd
        )
        select tenant, run_tags, 'started', new.* from plainloop_read_call(next_call) as new;
    end if;
end
$$;

-- What triage learned (a list), in the order of the list; gives how many things that were. An item
-- with `used` counts one more answer by the vote of that id. All others are votes: none is stored
-- where its run has given it already, or the user's votes of its kind are `times`; beyond the newest
-- `at_most` of the user's the oldest go, if not at once, soon after.
create or replace function plainloop_learn(tenant text, learned json) returns bigint
language plpgsql as $$
#variable_conflict use_column
declare
    told record;
    changed bigint := 0;
begin
    for told in
        select * from json_to_recordset(learned) as new (
            used uuid, vote_id uuid, user_id text, thread_id uuid, run_id uuid, pack text,
            template text, pattern text, opening text, answer jsonb, criteria text,
            is_within boolean, times int, at_most int
        )
    loop
        changed := changed + 1;
        if told.used is not null then
            update learned_votes set uses = uses + 1
            where tenant_id = tenant and vote_id = told.used;
            continue;
        end if;
        with same as (
            select run_id, answer, is_within, is_dropped from learned_votes
            where tenant_id = tenant and pack = told.pack and opening = told.opening
                and template = told.template and user_id = told.user_id
        )
        insert into learned_votes (
            tenant_id, vote_id, user_id, thread_id, run_id, pack, template, pattern, opening,
            answer, criteria, is_within
        )
        select tenant, told.vote_id, told.user_id, told.thread_id, told.run_id, told.pack,
            told.template, coalesce(nullif(told.pattern, told.template), ''), told.opening,
            told.answer, told.criteria, told.is_within
        where not exists (select from same where run_id = told.run_id or is_dropped)
            and (
                select count(*) from same where is_within = told.is_within and answer = told.answer
            ) < told.times;
        -- That reads as many entries of the index as the user may have votes: of many, one in 16 does.
        if found and (told.at_most < 100 or right(told.vote_id::text, 1) = '0') then
            delete from learned_votes
            where tenant_id = tenant and vote_id in (
                select vote_id from learned_votes
                where tenant_id = tenant and user_id = told.user_id and pack = told.pack
                order by vote_id desc offset told.at_most
            );
        end if;
    end loop;
    return changed;
end
$$;

-- THE LEDGER

-- The columns of an attempt that is about to be made, from its document.
create or replace function plainloop_read_call(call json) returns table (
    call_id uuid, user_id text, thread_id uuid, run_id uuid, step int, node text, worker text,
    role text, attempt int, provider text, model text, estimated_input_tokens int,
    fingerprint bytea, system_hash bytea, tools_hash bytea, first_position int, last_position int,
    extra_messages json, token_factor real, replay_id uuid, processing text, effort text,
    most_usd numeric
) language sql stable as $$
    select * from json_to_record(call) as new (
        call_id uuid, user_id text, thread_id uuid, run_id uuid, step int, node text, worker text,
        role text, attempt int, provider text, model text, estimated_input_tokens int,
        fingerprint bytea, system_hash bytea, tools_hash bytea, first_position int,
        last_position int, extra_messages json, token_factor real, replay_id uuid, processing text,
        effort text, most_usd numeric
    )
$$;

-- The row of an attempt that is about to be made, in a transaction of its own, if the run's fence
-- (null: of no run) holds: an owner that lost its run buys nothing more. The run's row is held
-- against a new owner until this commits: afterwards that owner sees the call, and closes it. The
-- row may be there: the answer was lost on the way back, or a batch asks again.
-- Raises: no_data_found when the fence does not hold.
create or replace function plainloop_start_call(
    tenant text, rights text, run uuid, held_fence bigint, call json
) returns void language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off as $$
#variable_conflict use_column
declare
    run_tags text[];
    done text := plainloop_act_as(tenant, rights);
begin
    if held_fence is null then
        select tags into run_tags from runs where tenant_id = tenant and run_id = run;
    else
        select tags into strict run_tags from runs
        where tenant_id = tenant and run_id = run and fence = held_fence and status = 'running'
        for key share;
    end if;
    insert into llm_calls (
        tenant_id, tags, status, call_id, user_id, thread_id, run_id, step, node, worker, role,
        attempt, provider, model, estimated_input_tokens, fingerprint, system_hash, tools_hash,
        first_position, last_position, extra_messages, token_factor, replay_id, processing, effort,
        most_usd
    )
    select tenant, coalesce(run_tags, '{}'), 'started', new.* from plainloop_read_call(call) as new
    on conflict (tenant_id, call_id) do nothing;
end
$$;

-- Count what calls took by the ledger in the budgets where something was reserved for them, and
-- release that; `fresh` ones in all budgets that they fall under: one may be younger than the call.
-- What is not known counts as it was reserved. In one order: two never wait for each other.
create or replace function plainloop_count_calls(tenant text, ended uuid[], fresh uuid[]) returns void
language plpgsql as $$
begin
    with gone as (
        delete from budget_reservations where tenant_id = tenant and call_id = any(ended) returning *
    ), counted as (
        select b.budget_id, case b.scope when 'tenant' then '' when 'user' then took.user_id
                else plainloop_root_run(tenant, took.run_id::text) end as subject,
            case b.period when 'total' then '-infinity'
                else date_trunc(b.period, took.created_at, b.zone) end as period_start,
            case when b.scope <> 'tenant' then took.user_id end as user_id,
            case when price_version = 'not begun' then 0 else coalesce((
                select sum(n) from unnest(array[
                    input_tokens, cache_read_tokens, cache_write_tokens, cache_write_long_tokens,
                    output_tokens, reasoning_tokens
                ]) as n
            ), gone.tokens, 0) end as tokens, coalesce(took.cost_usd, gone.cost_usd, 0) as usd,
            0 as freed_tokens, 0 as freed_usd
        from unnest(ended) as one (call_id) -- `any` would read every month's table
        join llm_calls as took using (call_id) join budgets as b on b.tenant_id = tenant
            and took.tenant_id = tenant and (b.user_id is null or b.user_id = took.user_id)
            and (b.scope <> 'run' or took.run_id is not null)
        left join gone on gone.call_id = took.call_id and gone.budget_id = b.budget_id
        where gone.call_id is not null or took.call_id = any(fresh)
        union all
        select budget_id, subject, period_start, user_id, 0, 0, tokens, cost_usd from gone
    )
    insert into budget_counters as counter (tenant_id, budget_id, subject, period_start, user_id,
        used_tokens, used_usd, reserved_tokens, reserved_usd)
    select tenant, budget_id, subject, period_start, user_id, sum(tokens), sum(usd),
        sum(freed_tokens), sum(freed_usd)
    from counted group by 2, 3, 4, 5 order by budget_id, subject
    on conflict (tenant_id, budget_id, subject, period_start) do update
    set used_tokens = counter.used_tokens + excluded.used_tokens,
        used_usd = counter.used_usd + excluded.used_usd,
        reserved_tokens = greatest(0, counter.reserved_tokens - excluded.reserved_tokens),
        reserved_usd = greatest(0, counter.reserved_usd - excluded.reserved_usd);
end
$$;

-- How attempts ended (`calls`: a list); gives how many there were. The answer of one that brings no
-- response of its own is the message at `place` and its `answer`; null: it has none.
create or replace function plainloop_settle(tenant text, calls json, place int) returns bigint
language plpgsql set enable_mergejoin = off as $$
#variable_conflict use_column
declare
    changed bigint;
    fresh uuid[];
begin
    -- A new budget adds up the ledger while no call is settled: a call is in that sum, or counted
    -- below (test_a_budget_made_during_a_settlement_counts_the_call_once).
    perform pg_advisory_xact_lock_shared(hashtextextended('plainloop budgets ' || tenant, 0));
    if exists (select from budgets where tenant_id = tenant) then
        fresh := array(select call_id from json_to_recordset(calls) as new (call_id uuid)
            join llm_calls using (call_id) where tenant_id = tenant and status = 'started');
    end if;
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
        cache_saved_usd = null, pause_loss_usd = null, prefix_loss_usd = null,
        response_position = case
            when new.status = 'succeeded' and new.response is null then place + new.answer
        end
    from json_to_recordset(calls) as new (
        call_id uuid, status text, input_tokens int, cache_read_tokens int, cache_write_tokens int,
        cache_write_long_tokens int, output_tokens int, reasoning_tokens int, usage_source text,
        usage_raw json, cost_usd numeric, price_version text, first_token_ms int, duration_ms int,
        model_answered text, request_id text, stop text, error_code text, error_message text,
        response json, notes json, answer int
    )
    where llm_calls.tenant_id = tenant and llm_calls.call_id = new.call_id;
    get diagnostics changed = row_count;
    perform plainloop_count_calls(
        tenant, array(select call_id from json_to_recordset(calls) as new (call_id uuid)), fresh
    ) where fresh is not null;
    return changed;
end
$$;

-- Each of the `calls` brings its answer, or has none.
create or replace function plainloop_settle_calls(given json) returns bigint language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off as $$
begin
    return plainloop_settle(plainloop_act_as(given), given -> 'calls', null);
end
$$;

-- How the newest answered request of a worker began whose first message is at position `start`
-- (null: at any), in runs that the candidate of the canary answers (null: in all others).
create or replace function plainloop_load_head(given json) returns table (
    system text, tools text, run_id text, token_factor real
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
    told record;
begin
    select * into told from json_to_record(given) as named (
        thread_id uuid, worker text, start int, canary_id uuid
    );
    return query
    select prompts.text, tools.text, calls.run_id::text, calls.token_factor
    from llm_calls as calls
    join prompt_texts as prompts
        on prompts.tenant_id = tenant and prompts.hash = calls.system_hash
    left join prompt_texts as tools on tools.tenant_id = tenant and tools.hash = calls.tools_hash
    where calls.tenant_id = tenant and calls.worker = told.worker and calls.role = 'worker'
        and calls.status = 'succeeded'
        and (told.start is null or calls.first_position = told.start)
        and (calls.tools_hash is null or tools.hash is not null)
        and calls.run_id in (
            select messages.run_id from messages
            where messages.tenant_id = tenant and messages.thread_id = told.thread_id
                and messages.position >= coalesce(told.start, 0) and messages.run_id is not null
        )
        and told.canary_id is not distinct from plainloop_load_canary(tenant, calls.run_id)
    order by calls.call_id desc limit 1;
end
$$;

-- Store a prompt or tool set once.
create or replace function plainloop_save_prompt_text(given json) returns void
language plpgsql as $$
declare
    tenant text := plainloop_act_as(given);
begin
    insert into prompt_texts (tenant_id, hash, kind, text)
    values (tenant, decode(given ->> 'hash', 'hex'), given ->> 'kind', given ->> 'text')
    on conflict do nothing;
end
$$;

-- EVENTS

-- One flush of a process: events of many runs (`batches`), of those whose fence holds. A repeated one,
-- whose commit was uncertain, holds the same events and perhaps more.
create or replace function plainloop_record_events(given json) returns table (run_id uuid)
language plpgsql as $$
#variable_conflict use_column
begin
    perform plainloop_act_as(given);
    return query
    insert into run_events (tenant_id, run_id, first_seq, last_seq, events)
    select new.tenant_id, new.run_id, new.first_seq, new.last_seq, new.events
    from json_to_recordset(given -> 'batches') as new (
        tenant_id text, run_id uuid, fence bigint, first_seq int, last_seq int, events json
    )
    join runs on runs.tenant_id = new.tenant_id and runs.run_id = new.run_id
        and runs.fence = new.fence and runs.status = 'running'
    on conflict (tenant_id, run_id, first_seq) do update
    set last_seq = excluded.last_seq, events = excluded.events
    where run_events.last_seq <= excluded.last_seq returning run_events.run_id;
end
$$;

-- Those of the `known` runs (a list of tenant_id, run_id, seen, was) that have events after `seen`, or
-- another status than `was`, or are gone: what a process asks whose viewers watch other replicas' runs.
create or replace function plainloop_list_grown_runs(given json) returns table (
    tenant_id text, run_id uuid
) language plpgsql
set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off as $$
#variable_conflict use_column
begin
    perform plainloop_act_as(given);
    return query
    select known.tenant_id, known.run_id
    from json_to_recordset(given -> 'known')
        as known (tenant_id text, run_id uuid, seen int, was text)
    left join runs on runs.tenant_id = known.tenant_id and runs.run_id = known.run_id
    where runs.status is distinct from known.was
        or exists (
            select from run_events as flushed
            where flushed.tenant_id = known.tenant_id and flushed.run_id = known.run_id
                and flushed.last_seq > known.seen
        )
        or exists (
            select from steps
            where steps.tenant_id = known.tenant_id and steps.run_id = known.run_id
                and steps.last_seq > known.seen and steps.events is not null
        );
end
$$;

-- WHO WORKS ON WHAT

-- Whether there are runs to take.
create or replace function plainloop_has_runs() returns boolean language sql stable as $$
    select exists (
        select from runs where status in ('running', 'waiting') and lease_until <= now()
    ) or exists (
        select from runs as queued
        where status = 'queued' and not exists (
            select from runs as other
            where other.tenant_id = queued.tenant_id and other.thread_id = queued.thread_id
                and other.status in ('running', 'waiting')
        )
    )
$$;

-- Which of the kinds of work there are for any process (a package's function plainloop_has_KIND()
-- tells), who works on runs, and in how many seconds `owner` looks again: every_s after the last one
-- of those that look, and at most longest_s from now.
create or replace function plainloop_find_work(given json) returns table (
    pause_s float8, owners text[], kinds text[]
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
    told record;
    kind text;
    is_there boolean;
begin
    select * into told from json_to_record(given) as named (
        owner text, every_s float8, longest_s float8, kinds text[]
    );
    with others as (
        select count(*) as looking, max(looks_at) as last_at
        from replicas where owner <> told.owner and not is_draining and looks_at > now()
    ), mine as (
        insert into replicas as known (owner, is_draining, looks_at)
        select told.owner, false, least(
            greatest(now(), last_at) + make_interval(secs => told.every_s),
            now() + make_interval(secs => least(told.longest_s, told.every_s * (looking + 1)))
        )
        from others
        on conflict (owner) do update set looks_at = excluded.looks_at, seen_at = now()
        returning looks_at
    )
    select extract(epoch from looks_at - now()),
        array(select distinct owner from runs where status = 'running' and owner is not null)
    into pause_s, owners from mine;
    foreach kind in array told.kinds loop
        if to_regproc('plainloop_has_' || kind) is not null then
            execute format('select %I()', 'plainloop_has_' || kind) into is_there;
            if is_there then
                kinds := array_append(kinds, kind);
            end if;
        end if;
    end loop;
    return next;
end
$$;

-- Extend the leases of the runs `run_ids` of one process; those missing from the answer are lost.
create or replace function plainloop_extend_runs(given json) returns table (
    run_id uuid, cancel_requested boolean
) language plpgsql as $$
#variable_conflict use_column
begin
    perform plainloop_act_as(given);
    return query
    update runs set lease_until = now() + make_interval(secs => told.lease_s)
    from json_to_record(given) as told (owner text, lease_s float8, run_ids uuid[])
    where runs.owner = told.owner and run_id = any(told.run_ids) and status = 'running'
    returning runs.run_id, runs.cancel_requested;
end
$$;

-- Take up to `most` runs that nobody works on: the lease is over (a handed back one's at once, a
-- waiting one's when it is decided or expires), the owner is one of the `dead`, or it is ours and
-- one of those that we `dropped`. Not those `held`: we work on them, and only our heartbeat is late.
-- Of all runs, or only `run_id`. A run that lost its owner counts one more attempt; one that we left
-- because the database was away does not. Tenants take turns, each with what waits longest.
-- One that may have taken its owner down is paused for pause_s (0: none is), with nobody as its
-- owner: at its first loss where it did not wait for a model just then, at later ones always. Those
-- are suspects, for `claim_suspect`. One that had its `attempts` is taken: to be ended.
-- A run of code that we do not repeat is left for left_s (0: is taken) to the replicas that do.
create or replace function plainloop_claim_runs(given json) returns table (
    tenant_id text, run_id uuid, thread_id uuid, user_id text, owner text, fence bigint,
    attempt int, design text, pack text, input_position int, cancel_requested boolean,
    was_waiting boolean
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
    told record;
begin
    select * into told from json_to_record(given) as named (
        owner text, lease_s float8, dead text[], most int, dropped uuid[], held uuid[],
        run_id uuid, pause_s float8, attempts int, left_s float8
    );
    return query
    with lost as (
        select tenant_id, run_id,
            row_number() over (partition by tenant_id order by lease_until) as place
        from runs
        where status in ('running', 'waiting')
            and (
                lease_until <= now() or owner = any(told.dead)
                or (owner = told.owner and run_id = any(told.dropped))
            )
            and run_id <> all(told.held)
            and (told.run_id is null or run_id = told.run_id)
            and (owner is not null or attempt < 3 or told.pause_s = 0)
            and not exists (select from held_tenants where held_tenants.tenant_id = runs.tenant_id)
            and (
                told.left_s = 0 or lease_until <= now() - make_interval(secs => told.left_s)
                or exists (
                    select from replicas
                    where replicas.owner = told.owner and runs.code = any(repeats)
                )
                or not exists (
                    select from replicas
                    where replicas.owner <> told.owner and runs.code = any(repeats)
                        and takes_runs and not is_draining and replicas.owner <> all(told.dead)
                        and greatest(seen_at, looks_at) > now() - interval '2 minutes'
                )
            )
    ), found as (
        select tenant_id, run_id, attempt, status = 'waiting' as was_waiting,
            owner is not null and not (owner = told.owner and run_id = any(told.dropped))
                as is_crashed,
            attempt >= 2 or not exists (
                select from llm_calls
                where llm_calls.tenant_id = runs.tenant_id and llm_calls.run_id = runs.run_id
                    and llm_calls.status = 'started'
                    and call_id >= plainloop_first_call(runs.run_id)
            ) as may_be_it
        from runs join lost using (tenant_id, run_id)
        -- Again: somebody may have taken it since it was found.
        where status in ('running', 'waiting')
            and (
                lease_until <= now() or owner = any(told.dead)
                or (owner = told.owner and run_id = any(told.dropped))
            )
        order by place, lease_until limit told.most for update of runs skip locked
    ), judged as (
        select *,
            is_crashed and may_be_it and attempt < told.attempts and told.pause_s > 0 as is_paused
        from found
    )
    update runs
    set status = 'running', fence = fence + 1, attempt = runs.attempt + is_crashed::int,
        owner = case when is_paused then null else told.owner end,
        lease_until = now() + make_interval(
            secs => case when is_paused then told.pause_s else told.lease_s end
        )
    from judged where runs.tenant_id = judged.tenant_id and runs.run_id = judged.run_id
    returning runs.tenant_id, runs.run_id, runs.thread_id, runs.user_id, runs.owner, runs.fence,
        runs.attempt, runs.design, runs.pack, runs.input_position, runs.cancel_requested,
        judged.was_waiting;
end
$$;

-- Take the oldest queued run of a thread where nothing is in progress, of the tenant of whom fewest
-- are worked on: one with a thousand of them delays another's by one. In the order in which the
-- database took them in: the ids are of the replicas' clocks.
create or replace function plainloop_claim_queued_run(given json) returns table (
    tenant_id text, run_id uuid, thread_id uuid, user_id text, owner text, fence bigint,
    attempt int, design text, pack text, input_position int, cancel_requested boolean,
    was_waiting boolean
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
    own text := given ->> 'owner';
    lease_s float8 := given ->> 'lease_s';
begin
    return query
    update runs
    set status = 'running', owner = own, fence = fence + 1, attempt = 1,
        lease_until = now() + make_interval(secs => lease_s),
        code = (select code from replicas where replicas.owner = own)
    where (runs.tenant_id, runs.run_id) = (
        select queued.tenant_id, queued.run_id
        from runs as queued
        left join (
            select tenant_id, count(*) as runs from runs where status = 'running' group by tenant_id
        ) as busy on busy.tenant_id = queued.tenant_id
        where status = 'queued'
            and not exists (
                select from held_tenants where held_tenants.tenant_id = queued.tenant_id
            )
            and not exists (
                select from runs as other
                where other.tenant_id = queued.tenant_id and other.thread_id = queued.thread_id
                    and (
                        other.status in ('running', 'waiting')
                        or (
                            other.status = 'queued'
                            and (other.created_at, other.run_id)
                                < (queued.created_at, queued.run_id)
                        )
                    )
            )
        order by coalesce(busy.runs, 0), created_at, run_id limit 1 for update of queued skip locked
    )
    returning runs.tenant_id, runs.run_id, runs.thread_id, runs.user_id, runs.owner, runs.fence,
        runs.attempt, runs.design, runs.pack, runs.input_position, runs.cancel_requested, false;
end
$$;

-- Whose API key of this SHA-256 (`hash`, in hex) it is, while it holds; its use is noted.
create or replace function plainloop_find_key(given json) returns table (
    key_id uuid, user_id text, scopes text[], expires_at timestamptz
) language plpgsql as $$
#variable_conflict use_column
declare
    tenant text := plainloop_act_as(given);
    hash bytea := decode(given ->> 'hash', 'hex');
begin
    return query
    with found as (
        select key_id, user_id, scopes, expires_at, last_used_at from api_keys
        where tenant_id = tenant and key_hash = hash and revoked_at is null and expires_at > now()
    ), noted as (
        update api_keys set last_used_at = now()
        from found
        where api_keys.tenant_id = tenant and api_keys.key_id = found.key_id
            and (found.last_used_at is null or found.last_used_at < now() - interval '1 minute')
    )
    select key_id, user_id, scopes, expires_at from found;
end
$$;

-- The run that somebody asked for: a helper's calls count against the budget of that one.
create or replace function plainloop_root_run(tenant text, run text) returns text language sql stable as $$
    with recursive above as (
        select run::uuid as run_id, 0 as depth
        union all
        select helper_runs.caller_run_id, above.depth + 1
        from above join helper_runs
            on helper_runs.tenant_id = tenant and helper_runs.run_id = above.run_id
    )
    select run_id::text from above order by depth desc limit 1
$$;

-- Of letters' code points and nothing else, so that it is the same in every version and on every
-- machine. What is very long has all bits: taking it apart takes longer than reading it.
create or replace function plainloop_signature(said text) returns bit(4096)
language sql immutable strict parallel safe as $$
    select case when length(said) > 100000 then ~ repeat('0', 4096)::bit(4096) else coalesce((
        select bit_or(set_bit(repeat('0', 4096)::bit(4096), place::int, 1)) from (
            select distinct (
                ascii(letter) + ascii(lag(letter) over named) * 281::bigint
                    + ascii(lag(letter, 2) over named) * 7919::bigint
            ) % 4096 as place
            from string_to_table(said, null) with ordinality as letters (letter, n)
            window named as (order by n)
        ) as places
        where place is not null
    ), repeat('0', 4096)::bit(4096)) end
$$;
