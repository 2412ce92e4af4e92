-- Advice that services give: which model, at which effort, for which worker. Each of its steps is a
-- replay of its own.
create table advices (
    tenant_id text not null, advice_id uuid not null,
    user_id text not null, -- Who asked.
    status text not null default 'running'
        check (status in ('running', 'succeeded', 'failed', 'cancelled')),
    request json not null, -- What is tried for whom, and within what.
    -- Each worker's traffic, conversations and candidates; null: nobody has looked yet.
    tasks json,
    steps json not null default '{}', -- By the step's name, the replay that it is.
    result json, error_code text, error_message text,
    owner text, lease_until timestamptz, -- Who searches.
    created_at timestamptz not null default now(), ended_at timestamptz,
    primary key (tenant_id, advice_id)
);
create index advices_open on advices (tenant_id, advice_id) where ended_at is null;

create function lab_tell_advice() returns trigger language plpgsql as $$
begin
    perform plainloop_enqueue_event(
        new.tenant_id, new.user_id, null, null, 'advice.ended', json_build_object(
            'advice_id', new.advice_id, 'status', new.status,
            'verdict', new.result ->> 'verdict', 'saves_usd', new.result -> 'saves_usd')
    );
    return null;
end
$$;
create trigger tell_webhooks after update of ended_at on advices for each row
when (old.ended_at is null and new.ended_at is not null) execute function lab_tell_advice();

select plainloop_protect('advices'::regclass);
select plainloop_open_to_operator('advices', 'select');

-- Advice is worked on by whoever works on replays.
create or replace function plainloop_has_replays() returns boolean language sql stable as $$
    select exists (select from replays where ended_at is null and source ->> 'host' = 'service')
        or exists (select from advices where ended_at is null)
$$;
