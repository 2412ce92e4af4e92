-- Versions before had this function in the core.

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
create or replace function plainloop_take_rate(given json)
returns table (whose text, taken bigint, in_second bigint, wait_s double precision)
language plpgsql as $$
declare
    tenant text := plainloop_act_as(given);
    of_rate text := given ->> 'rate';
    of_replica text := given ->> 'replica';
    request_limit bigint := given ->> 'requests';
    token_limit bigint := given ->> 'tokens';
    moment timestamptz := given ->> 'moment';
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
    from json_to_recordset(given -> 'corrections') as more (second bigint, tokens bigint)
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
        from json_to_recordset(given -> 'asked') as ours (tenant_id text, n bigint, tokens bigint)
        union all
        select tenant_id, n, tokens / calls, false
        from provider_rate_lines, generate_series(1, calls) as n where rate = of_rate
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
        window line as (order by start, tenant_id, n, is_ours rows unbounded preceding)
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
        from decided where is_ours and may_go group by tenant_id
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
        from decided where is_ours and not may_go group by tenant_id
    )
    select tenant_id, calls, this_second, 0::double precision from gone
    union all
    select null, 0, this_second, (this_second + 1 - extract(epoch from moment))::double precision;
end
$$;
