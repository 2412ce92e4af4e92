-- A browser's session is a ticket that may be used more than once, until it is signed out.
alter table tickets add column is_session boolean not null default false;
