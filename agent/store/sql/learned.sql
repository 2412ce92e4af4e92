-- name: find_templates, alone
-- The templates of the pack $2 that fit the sentence $4, whose first word is $5; at most $6.
select * from plainloop_find_templates($1, $2, $3, $4, $5, $6) order by template

-- name: count_use
-- One more answer by the template. A row comes in any case: what goes with a step needs one.
with used as (
    update learned_votes set uses = uses + 1 where tenant_id = $1 and vote_id = $2::uuid
)
select 1::bigint as changed

-- name: insert_vote
-- A run's vote, unless it has given it, or the user's votes of its kind are $13 already. Beyond the
-- newest $14 of the user's the oldest go. A row comes in any case: what goes with a step needs one.
with old as (
    delete from learned_votes
    where tenant_id = $1 and vote_id in (
        select vote_id from learned_votes
        where tenant_id = $1 and user_id = $3 and pack = $6
        order by vote_id desc offset $14
    )
), same as (
    select run_id, answer, is_within, is_dropped from learned_votes
    where tenant_id = $1 and pack = $6 and md5(template) = md5($7) and template = $7
        and user_id = $3
), given as (
    insert into learned_votes (
        tenant_id, vote_id, user_id, thread_id, run_id, pack, template, pattern, opening, answer,
        criteria, is_within
    )
    select $1, $2::uuid, $3, $4::uuid, $5::uuid, $6, $7, $8, $9, $10::jsonb, $11, $12
    where not exists (select from same where run_id = $5::uuid or is_dropped)
        and (select count(*) from same where is_within = $12 and answer = $10::jsonb) < $13
)
select 1::bigint as changed

-- name: drop_templates, alone
-- Triage has said something else than these: they answer nobody any more.
update learned_votes set is_dropped = true
where tenant_id = $1 and pack = $2 and template = any($3::text[]) and not is_dropped

-- name: list_templates
-- What is everybody's, and what is the user's $2 alone; of the pack $3, null: of all.
select pack, template, (array_agg(answer order by vote_id))[1] as answer,
    (array_agg(criteria order by vote_id))[1] as criteria,
    count(*) as votes, count(distinct nullif(user_id, '')) as users,
    count(distinct nullif(user_id, '')) < 2 and not bool_or(user_id = '') as is_private,
    count(distinct user_id) filter (where is_within) > 1
        or count(*) filter (where is_within and user_id = $2) >= $4
        or bool_or(is_within and user_id = '') as is_within,
    count(distinct user_id) filter (where not is_within) > 1
        or count(*) filter (where not is_within and user_id = $2) >= $4
        or bool_or(user_id = '') as is_known,
    bool_or(is_dropped) or count(distinct answer) > 1 as is_dropped, sum(uses)::bigint as uses
from learned_votes
where tenant_id = $1 and ($3::text is null or pack = $3)
group by pack, template
having bool_or(user_id in ($2, '')) or count(distinct user_id) > 1
order by pack, uses desc, template

-- name: delete_templates
-- Of the pack $2 (null: of all), these.
delete from learned_votes
where tenant_id = $1 and ($2::text is null or pack = $2) and template = any($3::text[])
