-- Not breaking: what is dropped has no reader in the former release. A status that one of its last instances changes has no
-- time of closing.

-- An index that has the status makes each change of a status a change of all indexes.
drop index deals_status;

-- One index of the few rows that three had: those with a follow-up, without a rate, or deleted.
drop index deals_follow_up;
drop index deals_without_rate;
drop index deals_deleted;
create index deals_attention on deals (owner_id, follow_up_at, deleted_at, commission_rate)
  where follow_up_at is not null or commission_rate is null or deleted_at is not null;

-- The statements that write a status write the time of closing.
drop trigger set_deal_closed_at on deals;
drop function set_deal_closed_at();

alter table deals drop constraint deals_created_by_fkey;
alter table deals drop constraint deals_updated_by_fkey;
alter table deals drop constraint deals_deleted_by_fkey;
comment on column deals.created_by is 'No foreign key: people are never deleted, and the check would cost every new row.';
comment on column deals.updated_by is 'No foreign key: as created_by.';
comment on column deals.deleted_by is 'No foreign key: as created_by.';
