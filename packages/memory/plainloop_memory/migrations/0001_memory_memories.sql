-- What users told, kept for their later conversations.

create table memories (
    tenant_id text not null,
    memory_id bigint generated always as identity,
    -- 1, 2, 3 …: a correction is another version.
    version integer not null default 1,
    -- Who may see it: nobody else.
    user_id text not null,
    -- The span it came from: the conversation, with which it is erased, the run, and the place of
    -- the message that the run answered. Null: the user wrote it by itself.
    thread_id uuid,
    run_id uuid,
    position integer,
    text text not null check (text <> ''),
    -- Words of somebody outside, which a person let in: `recall` finds it, no prompt shows it.
    is_untrusted boolean not null,
    created_at timestamptz not null default now(),
    -- Null: it is in force. Else conversations that began before are shown it still.
    replaced_at timestamptz,
    primary key (tenant_id, memory_id, version)
);
create index memories_by_user on memories (tenant_id, user_id);
create index memories_by_thread on memories (tenant_id, thread_id) where thread_id is not null;
create unique index memories_in_force on memories (tenant_id, memory_id) where replaced_at is null;

select plainloop_protect('memories');
select plainloop_open_to_operator('memories', 'select'); -- counts, for `plainloop doctor`

-- Numbers of memories that were erased lately: a run that began before has them in its prompt.
create table memory_erasures (
    tenant_id text not null,
    memory_id bigint not null,
    erased_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, memory_id)
);
select plainloop_protect('memory_erasures');

-- However a memory goes (by its user, with its conversation, with its user), it is gone from every
-- text that was made of it: prompts that showed it, and what `recall` gave. The ledger keeps its
-- numbers; a request that can no longer be made again has no fingerprint to be held to.
create function memory_erase_traces() returns trigger language plpgsql as $$
declare
    erased record;
    talks uuid[];
    given text;
    blank text;
begin
    -- Nothing is gone (so ends what follows), or a tenant has moved to another database.
    if not exists (
        select from gone where tenant_id is distinct from current_setting('app.moved_tenant', true)
    ) then
        return null;
    end if;
    insert into memory_erasures (tenant_id, memory_id)
    select distinct tenant_id, memory_id from gone
    on conflict do nothing;
    delete from memory_erasures
    using (select distinct tenant_id from gone) as owner
    where memory_erasures.tenant_id = owner.tenant_id
        and memory_erasures.erased_at < clock_timestamp() - interval '1 day';
    -- Versions of what is no longer in force, of which nobody would be told.
    delete from memories
    using gone
    where memories.tenant_id = gone.tenant_id and memories.memory_id = gone.memory_id
        and not exists (
            select from memories as current
            where current.tenant_id = gone.tenant_id and current.memory_id = gone.memory_id
                and current.replaced_at is null
        );
    with owners as (
        select distinct tenant_id, user_id from gone
    ), asked as (
        select tenant_id, user_id, llm_calls.system_hash as hash
        from llm_calls join owners using (tenant_id, user_id)
        union
        -- Somebody else's replays of the user's conversations.
        select owners.tenant_id, owners.user_id, llm_calls.system_hash
        from owners
        join threads using (tenant_id, user_id)
        join replay_items on replay_items.tenant_id = threads.tenant_id
            and replay_items.thread_id = threads.thread_id
        join llm_calls on llm_calls.tenant_id = replay_items.tenant_id
            and llm_calls.replay_id = replay_items.replay_id
    ), shown as (
        select asked.* from asked
        join prompt_texts using (tenant_id, hash)
        where exists (
            select from gone
            where gone.tenant_id = asked.tenant_id and gone.user_id = asked.user_id
                and strpos(prompt_texts.text, '#' || gone.memory_id || ' ' || gone.text) > 0
        )
    ), blanked as (
        update llm_calls set system_hash = null, fingerprint = null
        from shown
        where llm_calls.tenant_id = shown.tenant_id and llm_calls.user_id = shown.user_id
            and llm_calls.system_hash = shown.hash
    )
    -- A line begins with the memory's number: nobody else's prompt is the same.
    delete from prompt_texts
    using shown
    where prompt_texts.tenant_id = shown.tenant_id and prompt_texts.hash = shown.hash;

    for erased in select * from gone loop
        -- As `recall` gives it, in JSON as we write it.
        given := '"memory":' || erased.memory_id || ',"text":' || to_json(erased.text);
        blank := '"memory":' || erased.memory_id || ',"text":"(erased)"';
        select array_agg(distinct messages.thread_id) into talks
        from threads
        join messages on messages.tenant_id = threads.tenant_id
            and messages.thread_id = threads.thread_id and messages.role = 'tool'
        where threads.tenant_id = erased.tenant_id and threads.user_id = erased.user_id
            and strpos(messages.parts::text, given) > 0;
        continue when talks is null;
        update messages set parts = replace(parts::text, given, blank)::json
        where tenant_id = erased.tenant_id and thread_id = any(talks)
            and strpos(parts::text, given) > 0;
        update tool_calls set result = replace(result::text, given, blank)::json
        where tenant_id = erased.tenant_id and run_id in (
            select run_id from runs where tenant_id = erased.tenant_id and thread_id = any(talks)
        ) and strpos(result::text, given) > 0;
        update steps set events = replace(events::text, given, blank)::json
        where tenant_id = erased.tenant_id and run_id in (
            select run_id from runs where tenant_id = erased.tenant_id and thread_id = any(talks)
        ) and strpos(events::text, given) > 0;
        update run_events set events = replace(events::text, given, blank)::json
        where tenant_id = erased.tenant_id and run_id in (
            select run_id from runs where tenant_id = erased.tenant_id and thread_id = any(talks)
        ) and strpos(events::text, given) > 0;
        update llm_calls
        set fingerprint = null,
            extra_messages = replace(extra_messages::text, given, blank)::json,
            response = replace(response::text, given, blank)::json
        where tenant_id = erased.tenant_id and run_id in (
            select run_id from runs where tenant_id = erased.tenant_id and thread_id = any(talks)
        );
    end loop;
    return null;
end
$$;
create trigger erase_traces after delete on memories referencing old table as gone
for each statement execute function memory_erase_traces();

-- Such a run's next call would keep its prompt once more: it is not kept.
create function memory_refuse_erased() returns trigger language plpgsql as $$
begin
    if exists (
        select from memory_erasures
        where tenant_id = new.tenant_id
            and strpos(new.text, chr(10) || '#' || memory_id || ' ') > 0
    ) then
        return null;
    end if;
    return new;
end
$$;
create trigger refuse_erased before insert on prompt_texts
for each row when (new.kind = 'system') execute function memory_refuse_erased();
