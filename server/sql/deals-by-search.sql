select string_agg(page.id::text, ',') as "ids"
from (
  select "id"
  from (
    select "deals"."id", "deals"."created_at"
    from "deals"
    where ("deals"."deleted_at" is null and (true and true and deals.search_text like $1))
    limit $2
  ) as "match"
  order by "created_at" desc, "id" desc
) as "page"
