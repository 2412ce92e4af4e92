-- What a person is asked to agree to, in words. Null in rows from before: the call as it is.
alter table approvals add column question text;
