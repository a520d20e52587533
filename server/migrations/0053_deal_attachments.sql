-- Files attached to a deal. The content is in chunks of their own table, so that it is streamed and no list reads it.
-- Purging a deal deletes them.
create table deal_attachments (
  id uuid primary key,
  deal_id uuid not null references deals on delete cascade,
  name text not null check (length(name) between 1 and 200),
  type text not null,
  size integer not null check (size between 1 and 20971520),
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
create index deal_attachments_of_deal on deal_attachments (deal_id, id);
create index deal_attachments_of_user on deal_attachments (created_by);
comment on column deal_attachments.type is 'MIME type, from the content.';

create table deal_attachment_chunks (
  attachment_id uuid not null references deal_attachments on delete cascade,
  position integer not null,
  content bytea not null,
  primary key (attachment_id, position)
);
-- Files are compressed already.
alter table deal_attachment_chunks alter column content set storage external;
