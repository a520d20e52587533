-- Comments on a deal, who is mentioned in them, and how far each user has read. Purging a deal deletes them.
create table deal_comments (
  id uuid primary key,
  deal_id uuid not null references deals on delete cascade,
  author_id uuid not null references users,
  body text not null check (length(body) between 1 and 2000),
  created_at timestamptz not null default now(),
  edited_at timestamptz,
  version integer not null default 1
);
create index deal_comments_of_deal on deal_comments (deal_id, id);
create index deal_comments_of_author on deal_comments (author_id);

create table deal_comment_mentions (
  comment_id uuid not null references deal_comments on delete cascade,
  user_id uuid not null references users on delete cascade,
  primary key (comment_id, user_id)
);
create index deal_comment_mentions_of_user on deal_comment_mentions (user_id);

create table deal_comment_reads (
  user_id uuid not null references users on delete cascade,
  deal_id uuid not null references deals on delete cascade,
  read_up_to uuid not null,
  primary key (user_id, deal_id)
);
create index deal_comment_reads_of_deal on deal_comment_reads (deal_id);
comment on column deal_comment_reads.read_up_to is 'The newest comment that the user has read. No foreign key: it may be deleted.';

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in ('shared', 'handedOver', 'followUp', 'emailFailed', 'exportReady', 'diskLow', 'diskAlmostFull', 'mailParked',
    'comment', 'commentMention'));
