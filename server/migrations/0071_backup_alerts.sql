-- Administrators are notified of a failed backup, restore test or copy, and of hours without a good backup.
alter table backup_settings
  add column running_since timestamptz not null default now(),
  add column restore_test_problem text;
comment on column backup_settings.running_since is 'When the scheduler was turned on.';
comment on column backup_settings.restore_test_problem is 'Why the newest restore test failed, for display; null if it did not.';

alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in (
    'shared', 'transferred', 'followUp', 'emailFailed', 'emailUnconfirmed', 'exportReady', 'diskLow',
    'diskAlmostFull', 'mailHeld', 'comment', 'commentMention', 'backupFailed', 'restoreTestFailed',
    'backupCopyFailed', 'backupOverdue'));
