-- A run begins by small statements, of which those run that have something to do: as one large
-- statement it was set up whole each time, also where a thread has no past.

-- The newest whole exchanges of at most `most_tokens` tokens up to the position `until`; at least
-- the newest one. An exchange begins at a user message, and at the thread's first.
-- Walks back over the primary key and stops at the cut, so a long thread costs no more.
-- Materialized and lateral: behind row-level security only a plain column compares by index.
create function plainloop_load_messages(tenant text, thread uuid, until int, most_tokens bigint)
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
create function plainloop_find_templates(
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
create function plainloop_begin_run(
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
