-- Administrators are notified before the disk of DATA_DIR is full.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in ('shared', 'handedOver', 'followUp', 'emailFailed', 'exportReady', 'diskLow', 'diskAlmostFull'));
