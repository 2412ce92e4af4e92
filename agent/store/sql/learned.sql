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
