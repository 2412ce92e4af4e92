-- version: 1
-- The functions that statements of the service call. `migrate` applies this file whole, after the
-- numbered files, where the database has an older version of it, or another file of this version.
-- Every change adds one to the version. Replicas of the version before serve on meanwhile: a change
-- that they could not work with is a new function, with another name or other parameters.

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

-- A number from 0 to 1 by which a thread or run is drawn: the same everywhere, for ever.
create or replace function plainloop_draw(salt text, id uuid) returns double precision
language sql immutable as $$
    select ('x' || left(md5(salt || id::text), 8))::bit(32)::bigint / 4294967296.0::float8
$$;

-- Assign a chat's run that begins to what runs beside it; the canary whose candidate answers it.
create or replace function plainloop_assign(tenant text, thread uuid, run uuid) returns uuid
language plpgsql as $$
declare
    canary uuid;
begin
    -- Where nothing runs beside, a turn pays for one look at an empty index.
    if not exists (select from rollouts where tenant_id = tenant and status = 'running') then
        return null;
    end if;
    insert into rollout_runs (tenant_id, run_id, rollout_id, thread_id, side, turn, share)
    select tenant, run, rollout_id, thread,
        case
            when drawn.kind = 'shadow' then 'sampled'
            when before.turns > 0 then before.side  -- a thread keeps its side when the share grows
            when draw < drawn.share then 'candidate'
            else 'baseline'
        end,
        before.turns + 1,
        case when before.turns > 0 then before.share else drawn.share end
    from (
        select rollout_id, kind,
            plainloop_draw(salt, case when kind = 'canary' then thread else run end) as draw,
            -- Counted are threads of both sides, so that who is drawn does not tell of anybody.
            case
                when kind = 'canary' and share > 0.2 and 1000 > (
                    select count(*) from (
                        select from rollout_runs as earlier
                        where earlier.tenant_id = tenant
                            and earlier.rollout_id = rollouts.rollout_id and earlier.turn = 1
                        limit 1000
                    ) as first_turns
                ) then 0.2
                else share
            end as share
        from rollouts
        where tenant_id = tenant and status = 'running'
    ) as drawn
    cross join lateral (
        select count(*) as turns, max(side) as side, max(earlier.share) as share
        from rollout_runs as earlier
        where earlier.tenant_id = tenant and earlier.rollout_id = drawn.rollout_id
            and earlier.thread_id = thread
    ) as before
    join threads on threads.tenant_id = tenant and threads.thread_id = thread
    where threads.kind = 'chat' and (draw < drawn.share or drawn.kind = 'canary')
    on conflict do nothing;
    select rollout_id into canary from rollout_runs
    where tenant_id = tenant and run_id = run and side = 'candidate';
    return canary;
end
$$;

-- The newest whole exchanges of at most `most_tokens` tokens up to the position `until`; at least
-- the newest one. An exchange begins at a user message, and at the thread's first.
-- Walks back over the primary key and stops at the cut, so a long thread costs no more.
-- Materialized and lateral: behind row-level security only a plain column compares by index.
create or replace function plainloop_load_messages(tenant text, thread uuid, until int, most_tokens bigint)
returns table ("position" int, role text, parts json, tokens int, tokens_before bigint)
language sql stable as $$
with newest as materialized (
    select position, tokens_before + tokens - most_tokens as tokens_floor
    from messages
    where tenant_id = tenant and thread_id = thread and position <= coalesce(until, 2147483647)
    order by position desc
    limit 1
), cut as materialized (
    select newest.position as newest, coalesce(outside.position + 1, 0) as position
    from newest left join lateral (
        select position
        from messages
        where tenant_id = tenant and thread_id = thread and position <= newest.position
            and tokens_before < newest.tokens_floor
        order by position desc
        limit 1
    ) as outside on true
), start as materialized (
    select cut.newest, coalesce(inside.position, latest.position, 0) as position
    from cut left join lateral (
        select position
        from messages
        where tenant_id = tenant and thread_id = thread and (role = 'user' or position = 0)
            and position >= cut.position and position <= cut.newest
        order by position
        limit 1
    ) as inside on true left join lateral (
        select position
        from messages
        where tenant_id = tenant and thread_id = thread and role = 'user' and position <= cut.newest
        order by position desc
        limit 1
    ) as latest on true
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
where tenant_id = tenant and pack = of_pack and opening in (first_word, '') and sentence like pattern
group by template
having count(distinct answer) = 1 and not bool_or(is_dropped)
    and (bool_or(user_id in (own_user, '')) or count(distinct user_id) > 1)
order by template
limit most
$$;

-- Append the message of `message_tokens` tokens to the user's thread, where none is queued (and
-- which ends at `ends_at`), and start its run, whose columns are `told_run`, for `lease_s` s. A
-- thread without a title has `new_title` then. No row: the thread is not there, or busy. With it
-- comes the thread's data, as it is at this moment, and the canary that answers; the newest
-- exchanges before it, of at most `most_tokens` tokens, and the templates that fit the sentence: what
-- the run would read next (of a thread of more than `long` messages it may not need them).
create or replace function plainloop_begin_run(
    tenant text, own_user text, thread uuid, run uuid, told_parts json, message_tokens int,
    told_run json, lease_s float8, ends_at int, most_tokens bigint, sentence text, first_word text,
    of_pack text, new_title text, long int, most_templates int
) returns table (
    "position" int, data jsonb, canary_id uuid, history json, templates json
) language plpgsql as $$
#variable_conflict use_column
declare
    tokens_so_far bigint;
    begun runs := json_populate_record(null::runs, told_run);
begin
    update threads
    set next_position = next_position + 1, total_tokens = total_tokens + message_tokens,
        updated_at = now(), title = coalesce(nullif(title, ''), new_title, '')
    where tenant_id = tenant and user_id = own_user and thread_id = thread
        and (ends_at is null or next_position = ends_at)
        and not exists (
            select from runs where tenant_id = tenant and thread_id = thread and status = 'queued'
        )
    returning next_position - 1, total_tokens - message_tokens, threads.data
    into position, tokens_so_far, data;
    if not found then
        return;
    end if;
    -- The thread's row is ours now: nobody says anything meanwhile.
    if most_tokens is not null and position between 1 and long then
        select json_agg(past order by past.position) into history
        from plainloop_load_messages(tenant, thread, null, most_tokens) as past;
    end if;
    insert into messages
        (tenant_id, thread_id, position, run_id, role, parts, tokens, tokens_before)
    values (tenant, thread, position, run, 'user', told_parts, message_tokens, tokens_so_far);
    begun.tenant_id := tenant;
    begun.input_position := position;
    begun.created_at := now();
    begun.lease_until := now() + make_interval(secs => lease_s);
    insert into runs values (begun.*);
    canary_id := plainloop_assign(tenant, thread, run);
    if sentence is not null then
        select coalesce(json_agg(fitting order by template), '[]') into templates
        from plainloop_find_templates(
            tenant, of_pack, own_user, sentence, first_word, most_templates
        ) as fitting;
    end if;
    return next;
end
$$;

-- Whether the user may have one more open run: fewer than `most_runs` work or are queued (null: any
-- number may); those of helpers count with their callers'. Until the transaction ends nobody else
-- finds out for this user. Who holds this waits for no row of another transaction: a thread's row is
-- taken before.
create or replace function plainloop_take_run_slot(tenant text, own_user text, most_runs int) returns boolean
language plpgsql as $$
begin
    if most_runs is null then
        return true;
    end if;
    perform pg_advisory_xact_lock(hashtextextended(tenant || chr(31) || own_user, 78));
    -- One count for each: by an index that holds only runs that have not ended.
    return most_runs > (
        select count(*) from runs
        where tenant_id = tenant and user_id = own_user and status = 'running'
            and design not like 'helper:%'
    ) + (
        select count(*) from runs
        where tenant_id = tenant and user_id = own_user and status = 'queued'
            and design not like 'helper:%'
    );
end
$$;

-- `plainloop_begin_run` for a user who may have `most_runs` open runs (null: any number). One row of
-- nulls: the user has as many.
create or replace function plainloop_begin_limited_run(
    most_runs int, tenant text, own_user text, thread uuid, run uuid, told_parts json,
    message_tokens int, told_run json, lease_s float8, ends_at int, most_tokens bigint,
    sentence text, first_word text, of_pack text, new_title text, long int, most_templates int
) returns table (
    "position" int, data jsonb, canary_id uuid, history json, templates json
) language plpgsql as $$
#variable_conflict use_column
begin
    if most_runs is not null then
        perform from threads
        where tenant_id = tenant and user_id = own_user and thread_id = thread
        for no key update;
        if not plainloop_take_run_slot(tenant, own_user, most_runs) then
            return next;
            return;
        end if;
    end if;
    return query select * from plainloop_begin_run(
        tenant, own_user, thread, run, told_parts, message_tokens, told_run, lease_s, ends_at,
        most_tokens, sentence, first_word, of_pack, new_title, long, most_templates
    );
end
$$;

-- Begins the transaction in which a step's tools write, if the run's fence holds; without a lock: a
-- tool may take long, and who asks for the thread meanwhile must not wait. label: the transaction
-- says whose it is, so that the run's next owner can end it.
create or replace function plainloop_open_step(
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

-- How attempts ended (`calls`: a list); gives how many there were. The answer of one that brings no
-- response of its own is the message at `place` and its `answer`; null: it has none.
create or replace function plainloop_settle(tenant text, calls json, place int) returns bigint
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
create or replace function plainloop_record_steps(
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

-- Let through what may go now of the calls that a replica asks for (a list of tenant_id, n: the
-- place among the tenant's own, tokens), and say how many of each tenant, counted in which second,
-- and in how many seconds to ask again. No limit: null. corrections: tokens that calls of a second
-- took beyond, or short of, what was counted for them. moment: null is now.
--
-- Any minute holds the limit at most, and any ten seconds a sixth of it: else whoever comes after a
-- burst would wait out its minute. What is larger than that goes when nothing else did.
--
-- Who goes next is start-time fair queueing: a call starts where its tenant's last one ended, or
-- where the line stands if that is later, and ends a cost (its share of the limit) further on. The
-- first to start goes. Calls of other replicas are put in their place, and their room is kept.
create or replace function plainloop_take_rate(
    of_rate text, of_replica text, request_limit bigint, token_limit bigint, asked json,
    corrections json, moment timestamptz
) returns table (whose text, taken bigint, in_second bigint, wait_s double precision)
language plpgsql as $$
declare
    held provider_rates;
    this_second bigint;
begin
    insert into provider_rates (rate) values (of_rate) on conflict do nothing;
    select * into held from provider_rates where rate = of_rate for update;
    moment := coalesce(moment, clock_timestamp());  -- not before we hold the row
    this_second := floor(extract(epoch from moment));
    if held.paused_until > moment then
        return query select null::text, 0::bigint, this_second,
            extract(epoch from held.paused_until - moment)::double precision;
        return;
    end if;
    delete from provider_rate_uses where rate = of_rate and second < this_second - 60;
    update provider_rate_uses as uses set tokens = greatest(0, uses.tokens + more.tokens)
    from json_to_recordset(corrections) as more (second bigint, tokens bigint)
    where rate = of_rate and uses.second = more.second;
    delete from provider_rate_turns where rate = of_rate and next_start <= held.clock;
    delete from provider_rate_lines
    where rate = of_rate and (replica = of_replica or seen_at < moment - interval '3 seconds');
    return query
    with spans as (
        select ceil(request_limit * seconds / 60.0) as most_requests,
            ceil(token_limit * seconds / 60.0) as most_tokens,
            coalesce(sum(uses.requests), 0) as requests, coalesce(sum(uses.tokens), 0) as tokens
        from (values (10), (60)) as span (seconds)
        -- A whole second more: a call of its end is counted as one of its begin.
        left join provider_rate_uses as uses
            on uses.rate = of_rate and uses.second >= this_second - seconds
        group by seconds
    ), waiting as (
        select tenant_id, n, tokens, true as is_ours
        from json_to_recordset(asked) as ours (tenant_id text, n bigint, tokens bigint)
        union all
        select tenant_id, n, tokens / calls, false
        from provider_rate_lines, generate_series(1, calls) as n
        where rate = of_rate
    ), priced as (
        select *,
            greatest(1.0 / request_limit, tokens / token_limit::double precision) as cost
        from waiting
    ), placed as (
        select priced.*, greatest(held.clock, next_start)
            + sum(cost) over (partition by priced.tenant_id order by n, is_ours) - cost as start
        from priced
        left join provider_rate_turns as turns
            on turns.tenant_id = priced.tenant_id and turns.rate = of_rate
    ), lined as (
        select *, row_number() over line as place, sum(tokens) over line as tokens_so_far
        from placed
        window line as (
            order by start, tenant_id, n, is_ours rows unbounded preceding
        )
    ), decided as (
        select *, not exists (
            select from spans
            where (spans.requests > 0 or place > 1) and spans.requests + place > most_requests
                or (spans.tokens > 0 or place > 1) and spans.tokens + tokens_so_far > most_tokens
        ) as may_go
        from lined
    ), gone as (
        select tenant_id, count(*) as calls, sum(tokens) as tokens, max(start) as start,
            max(start + cost) as ended
        from decided
        where is_ours and may_go
        group by tenant_id
    ), counted as (
        insert into provider_rate_uses as uses (rate, second, requests, tokens)
        select of_rate, this_second, sum(calls), sum(gone.tokens) from gone having count(*) > 0
        on conflict on constraint provider_rate_uses_pkey do update
        set requests = uses.requests + excluded.requests, tokens = uses.tokens + excluded.tokens
    ), turned as (
        insert into provider_rate_turns (tenant_id, rate, next_start)
        select tenant_id, of_rate, ended from gone
        on conflict on constraint provider_rate_turns_pkey do update
        set next_start = excluded.next_start
    ), moved as (
        -- Not past a call that waits, be it elsewhere: it would lose its place.
        update provider_rates set clock = greatest(clock, least(
            (select max(start) from gone),
            (select min(start) from decided where not (is_ours and may_go))
        ))
        where rate = of_rate and exists (select from gone)
    ), left_waiting as (
        insert into provider_rate_lines (tenant_id, rate, replica, calls, tokens, seen_at)
        select tenant_id, of_rate, of_replica, count(*), sum(tokens), moment
        from decided
        where is_ours and not may_go
        group by tenant_id
    )
    select tenant_id, calls, this_second, 0::double precision from gone
    union all
    select null, 0, this_second,
        (this_second + 1 - extract(epoch from moment))::double precision;
end
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

-- Make a function of these statements. parameters: the types of all statements'; columns: of their rows,
-- empty when none has any. needs_row: one without a row undoes them all. A statement `select plainloop_…(…)` that has rows is a call of which only needs
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

-- A column may have changed its type: what was kept before a migration is made again.
create or replace function plainloop_drop_statements() returns void language plpgsql as $drop$
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
