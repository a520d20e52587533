-- When an instance last looked after outgoing mail: what was due for an hour while none did is parked.
alter table installation add column mail_alive_at timestamptz;

alter table emails add column parked_because text check (parked_because in ('restore', 'overdue'));
update emails set parked_because = 'restore' where parked_at is not null;

-- When the first attempt was made, since it was queued or tried anew: a message is given up a day later.
alter table emails add column tried_since timestamptz;
