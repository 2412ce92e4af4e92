-- Since when a replica is there: who looks at a deployment sees which processes are new.

alter table replicas add column started_at timestamptz not null default now();
