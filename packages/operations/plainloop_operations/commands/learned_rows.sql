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
