-- A job is removed after a week.
update backups set job_id = null where not exists (select from jobs where jobs.id = backups.job_id);
alter table backups add foreign key (job_id) references jobs on delete set null;

-- Why the other columns of ids have no foreign key.
comment on column audit_entries.actor_id is 'No foreign key: an entry outlives the person, also when a restore replaces the people.';
comment on column audit_entries.record_id is 'No foreign key: records of every kind, and an entry outlives them.';
comment on column audit_blankings.entry_id is 'No foreign key: the audit check reports a missing entry, and the backup of a damaged log must still restore.';
comment on column audit_blankings.order_id is 'The entry of the order to remove the values. No foreign key: as entry_id.';
comment on column audit_sealed.entry_id is 'No foreign key: as audit_blankings.entry_id.';
comment on column download_tickets.session_id is 'No foreign key: a restore replaces the sessions and keeps this table. A ticket of no session is refused.';
comment on column download_tickets.record_id is 'No foreign key: records of several kinds.';
comment on column emails.batch_id is 'No foreign key: a batch is no record, only what was sent in one step.';
comment on column exports.job_id is 'No foreign key: a restore replaces the exports and keeps the jobs.';
comment on column jobs.user_id is 'No foreign key: a restore replaces the people and keeps this table.';
comment on column notifications.record_id is 'No foreign key: records of several kinds.';
comment on column shares.record_id is 'No foreign key: records of several kinds. Triggers delete the shares of a deleted record.';
