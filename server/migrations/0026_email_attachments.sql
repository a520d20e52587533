-- Files that people send along with messages: kept once, however many messages of a merge have them.

create table email_attachments (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  -- By the ending of its name, never by what a browser says.
  type text not null,
  content bytea not null check (length(content) between 1 and 10485760),
  -- Until a message has it, a file is not kept for longer than a day.
  is_used boolean not null default false,
  -- Who has added it may send it, and nobody else.
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
-- Most are compressed already, and all are read whole.
alter table email_attachments alter column content set storage external;
create index email_attachments_unused on email_attachments (created_at) where not is_used;
create index email_attachments_unused_of_person on email_attachments (created_by) where not is_used;

-- The files of a message, in the order in which they go out.
create table email_attachment_uses (
  email_id uuid not null references emails on delete cascade,
  attachment_id uuid not null references email_attachments,
  position integer not null,
  primary key (email_id, attachment_id)
);
create index email_attachment_uses_of_attachment on email_attachment_uses (attachment_id);

-- Messages without files, which are most, are listed and sent without looking for any.
alter table emails add column attachment_count integer not null default 0;
