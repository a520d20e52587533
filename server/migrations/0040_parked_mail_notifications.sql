-- Administrators are notified of mail that is parked because no instance ran when it was due.
alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (
  kind in ('shared', 'handedOver', 'followUp', 'emailFailed', 'exportReady', 'diskLow', 'diskAlmostFull', 'mailParked'));
