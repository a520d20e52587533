-- Not breaking: the former release neither writes the new kind of change set nor checks it when it reads.
-- Rows that were merged into another one. A merged row is deleted; restoring it separates the two again.
create table deal_merges (
  deal_id uuid primary key,
  survivor_id uuid not null
);
comment on column deal_merges.deal_id is 'No foreign key: links to the row lead to the survivor also when the row is purged.';
comment on column deal_merges.survivor_id is 'No foreign key: as deal_id. A purge of the survivor removes the entry.';
create index deal_merges_survivor on deal_merges (survivor_id);

-- What a merge moved from the row to its survivor, and what goes back if the row is restored.
create table deal_merge_parts (
  deal_id uuid not null references deal_merges on delete cascade,
  kind text not null check (kind in ('comment', 'attachment', 'email', 'notification')),
  part_id uuid not null,
  deal_version integer,
  primary key (deal_id, kind, part_id)
);
comment on column deal_merge_parts.part_id is 'No foreign key: records of several kinds, and one that was deleted since does not go back.';
comment on column deal_merge_parts.deal_version is 'Of an email: the version of the row in the message.';

alter table change_sets drop constraint change_sets_kind_check;
alter table change_sets add constraint change_sets_kind_check
  check (kind in ('edit', 'paste', 'fill', 'bulk', 'import', 'undo', 'api', 'revert', 'updateByImport', 'merge'));
