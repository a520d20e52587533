-- Breaking: two kinds of notifications get the terms of the product, as in its code, API and screens.
alter table notifications drop constraint notifications_kind_check;
update notifications set kind = case kind when 'handedOver' then 'transferred' else 'mailHeld' end
where kind in ('handedOver', 'mailParked');
alter table notifications add constraint notifications_kind_check check (
  kind in ('shared', 'transferred', 'followUp', 'emailFailed', 'exportReady', 'diskLow', 'diskAlmostFull', 'mailHeld',
    'comment', 'commentMention'));
