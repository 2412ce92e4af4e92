-- What triage answered to a sentence, the names in it taken out: a vote of one run for one template.
-- No row is a tenant's as such: a template serves everybody as long as votes of two users stand for
-- it, so that it goes with them, and with the conversations in which they were given.

create table learned_votes (
    tenant_id text not null,
    -- UUIDv7: the order in which they came.
    vote_id uuid not null,
    -- '' : brought by an import, and nobody's.
    user_id text not null,
    thread_id uuid,
    run_id uuid,
    pack text not null,
    -- The sentence with slots: "jobs at {jobs.company} over {number}".
    template text not null,
    -- The same for LIKE; numbers and dates are one character each, names are %.
    pattern text not null,
    -- The first word, if it is none of a slot: what the index narrows by.
    opening text not null,
    -- {"fast_intent", "entity_type", "filters"} or {"worker"}, with the slots by number: "{0}".
    answer jsonb not null,
    criteria text not null,
    -- Whether triage was shown what had been said before.
    is_within boolean not null,
    -- Triage has said something else: none of the template's votes counts any more.
    is_dropped boolean not null default false,
    -- How often the template answered; on its oldest vote.
    uses bigint not null default 0,
    primary key (tenant_id, vote_id)
);

create index learned_votes_opening on learned_votes (tenant_id, pack, opening);
create index learned_votes_template on learned_votes (tenant_id, pack, md5(template));
create index learned_votes_user on learned_votes (tenant_id, user_id, pack, vote_id);

select plainloop_protect('learned_votes');
