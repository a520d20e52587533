-- A saved view has one filter with conditions on any column, instead of a status, a dealership and an owner.

update deal_views set arrangement = (arrangement - 'filters') || jsonb_build_object('filter', (
  select case when count(*) > 0 then jsonb_build_object(
    'match', 'all',
    'conditions', jsonb_agg(
      jsonb_build_object('field', field, 'operator', 'isAnyOf', 'value', jsonb_build_array(id)) order by position)) end
  from (
    select position, field, arrangement -> 'filters' ->> name as id
    from (values (1, 'statusId', 'status'), (2, 'dealershipId', 'dealershipId'), (3, 'ownerId', 'owner'))
      as names (position, name, field)
  ) as chosen
  where id is not null));
