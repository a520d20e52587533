-- Who changed a deal last: a conflict of two editors names the other one.

alter table deals add column updated_by uuid references users;
update deals set updated_by = coalesce(
  (select actor_id from audit_entries where record_id = deals.id and actor_id is not null order by id desc limit 1),
  created_by
);
alter table deals alter column updated_by set not null;
