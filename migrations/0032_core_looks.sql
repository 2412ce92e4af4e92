-- Replicas look for work one after the other: when each of them does so next.

alter table replicas add column looks_at timestamptz not null default '-infinity';
