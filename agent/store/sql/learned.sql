-- name: find_templates
-- The templates of the pack $2 that fit the sentence $4, whose first word is $5; at most $6.
select * from plainloop_find_templates($1, $2, $3, $4, $5, $6) order by template

-- name: learn
-- What triage learned: a list.
select plainloop_learn($1, $2)

-- name: drop_templates
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
from learned_votes where tenant_id = $1 and ($3::text is null or pack = $3) group by pack, template
having bool_or(user_id in ($2, '')) or count(distinct user_id) > 1
order by pack, uses desc, template

-- name: delete_templates
-- Of the pack $2 (null: of all), these.
delete from learned_votes
where tenant_id = $1 and ($2::text is null or pack = $2) and template = any($3::text[])
