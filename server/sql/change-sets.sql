select change_sets.*,
  (
    change_sets.counted_to is not null
    and not exists (
      select
      from audit_entries
      where audit_entries.change_set_id = change_sets.id and audit_entries.id > change_sets.counted_to
    )
  ) as is_counted
from change_sets
where id in (
  select distinct on (of_set) id
  from change_sets
  where of_set = any ($1::uuid[])
    and (
      change_sets.of_set is not null
      and exists (
        select
        from change_sets as first
        where first.id = change_sets.of_set
          and first.of_set is null
          and first.created_by = change_sets.created_by
          and change_sets.created_at between first.created_at
          and first.created_at + interval '1 day'
          and (
            (
              change_sets.counted_to is not null
              and not exists (
                select
                from audit_entries
                where audit_entries.change_set_id = change_sets.id
                  and audit_entries.id > change_sets.counted_to
              )
            )
            or (
              not exists (
                select done.record_id, "done"."action" in ('deal.created', 'deal.deleted', 'deal.restored')
                from audit_entries as done
                where done.change_set_id = change_sets.id except(
                  select entry.record_id, whole
                  from audit_entries as entry, (values (true), (false)) as either(whole)
                  where entry.change_set_id = first.id
                    and ("entry"."action" in ('deal.created', 'deal.deleted', 'deal.restored') or not whole)
                  union all
                  select entry.record_id, whole
                  from change_sets as redo
                  join audit_entries as entry on entry.change_set_id = redo.id,
                    (values (true), (false)) as either(whole)
                  where redo.of_set = first.id and entry.action = 'deal.created'
                )
              )
              and (
                select count(*)
                from audit_entries as done
                where done.change_set_id = change_sets.id and done.action = 'deal.created'
              ) <= (
                select count(*)
                from audit_entries as entry
                where entry.change_set_id = first.id
                  and entry.action = case
                  when first.kind = 'undo' then 'deal.deleted'
                  else 'deal.created'
                  end
              )
            )
          )
      )
    )
  order by of_set, created_at desc, id desc
)
