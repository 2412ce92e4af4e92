-- name: record_gate_verdict
-- What a gate said; a trigger tells webhooks.
insert into gate_verdicts (tenant_id, verdict_id, user_id, verdict, rules, candidates)
values ($1, $2, $3, $4, $5, $6)
