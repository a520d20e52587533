-- A notification about several rows is listed as long as its user sees one of them, so it needs more than the first.
alter table notifications add column other_record_ids uuid[] not null default '{}';
comment on column notifications.other_record_ids is
  'Further records of a notification about several, at most 100. Empty in older ones. No foreign key: records of several kinds.';
