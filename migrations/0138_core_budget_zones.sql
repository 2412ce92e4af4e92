-- The time zone in which a budget's hours, days and months begin: an IANA name.
alter table budgets add column zone text not null default 'UTC';
