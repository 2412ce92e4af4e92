-- Tools that a client brings with its request and answers itself.

-- [{name, description, parameters}]; null: none.
alter table runs add column client_tools json;
-- A call of such a tool waits like one that a person must agree to; the client gives its result.
alter table approvals add column is_client boolean not null default false;
-- {result, is_error}; null: none yet.
alter table approvals add column answer json;
