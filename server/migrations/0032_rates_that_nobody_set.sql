-- Rows of owners for whom nobody had set a rate got 0 percent, and kept it when rates were set. They have no rate, as new
-- ones do from now on. A stored 0 stays where somebody may have meant it: where the owner or the company has or had a
-- rate of 0, or one that was changed and whose history is not in the audit log.
with zero as (
  select user_id from settings
  where name like 'commission.%' and (value = '0' or version > 1 and not exists (
    select from audit_entries
    where entity = 'setting' and action = 'setting.created' and after ? settings.name
      and record_id = coalesce(settings.user_id, '00000000-0000-0000-0000-000000000000')))
  union
  select nullif(record_id, '00000000-0000-0000-0000-000000000000') from audit_entries
  where entity = 'setting' and (
    before @? '$.keyvalue() ? (@.key starts with "commission." && @.value == 0)'
    or after @? '$.keyvalue() ? (@.key starts with "commission." && @.value == 0)')
)
update deals set commission_rate = null
where commission_rate = 0
  and not exists (select from zero where user_id is null or user_id = deals.owner_id);

-- What rates that were set later are applied to.
create index deals_without_rate on deals (owner_id) where commission_rate is null and deleted_at is null;
