-- What waits for a decision, of a user or of a tenant: few rows among many.
create index approvals_pending on approvals (tenant_id, user_id, approval_id)
    where status = 'pending';
