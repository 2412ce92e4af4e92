-- Why a person did not allow a call, in their words. Null: they gave none, or allowed it.
alter table approvals add column reason text;
