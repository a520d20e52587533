-- Mail that may have been delivered: its server, or the worker that sent it, was lost before the answer.
alter table emails add column fate_unknown boolean not null default false;
comment on column emails.fate_unknown is 'An attempt ended without an answer: the mail server may have delivered it. False again once it is sent.';

alter table emails drop constraint emails_status_check,
  add constraint emails_status_check
    check (status in ('queued', 'sending', 'sent', 'retrying', 'failed', 'cancelled', 'unconfirmed'));

alter table notifications drop constraint notifications_kind_check,
  add constraint notifications_kind_check check (kind in (
    'shared', 'transferred', 'followUp', 'emailFailed', 'emailUnconfirmed', 'exportReady', 'diskLow',
    'diskAlmostFull', 'mailHeld', 'comment', 'commentMention'));
