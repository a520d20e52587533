-- Mail about a mention in a comment: whether a user wants it, and which mention was mailed with a notification.
alter table users add column mention_mail boolean not null default true;

alter table notifications add column mailed_record_id uuid;
comment on column notifications.mailed_record_id is 'The record that was mailed with it: while it is unread there is no other mail. No foreign key: records of several kinds.';
