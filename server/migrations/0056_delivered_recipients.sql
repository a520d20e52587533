-- A mail server can accept some recipients of a message and refuse others: only the others get the next attempt.
alter table emails add column delivered_to text[] not null default '{}';
comment on column emails.delivered_to is 'Recipients whom the message reached in an attempt that did not reach all of them.';
