-- A "yes" in words names its question by the end of the approval's id, whichever run asked it.
create index approvals_code on approvals (tenant_id, user_id, right(approval_id::text, 12));
