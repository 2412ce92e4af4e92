-- Lists of conversations are read in their order: a page costs the same whether its user has ten
-- of them or a million. An entry is written anew with each message of a user.
create index threads_by_activity on threads (tenant_id, user_id, updated_at, thread_id);
create index threads_of_tenant on threads (tenant_id, updated_at, thread_id);
drop index threads_by_user;
