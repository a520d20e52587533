-- The messages that one merge made: followed, called back and tried again together.
alter table emails add column batch_id uuid;
create index emails_of_batch on emails (batch_id) where batch_id is not null;

-- What a message told of its deal, and of which version: a field that is edited later makes it out of date.
alter table emails add column deal_version integer;
alter table emails add column deal_fields text[] not null default '{}';
