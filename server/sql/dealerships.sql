select *,
  (
    select coalesce(json_agg(agg), '[]')
    from (
      select "contacts"."name",
        "contacts"."email",
        coalesce(email_templates.name, contacts.template_name) as "templateName",
        "contacts"."include_in_to" as "includeInTo",
        "contacts"."include_in_cc" as "includeInCc",
        "contacts"."active"
      from "contacts"
      left join "email_templates" on "email_templates"."id" = "contacts"."template_id"
      where "contacts"."dealership_id" = "dealerships"."id"
      order by "contacts"."position"
    ) as agg
  ) as "contacts",
  (select users.name from users where users.id = "dealerships"."owner_id") as "owner_name",
  (
    select coalesce(
      json_agg(
        json_build_object(
          'userId',
          shares.user_id,
          'level',
          shares.level,
          'sharedAt',
          to_char(shares.shared_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'name',
          person.name,
          'email',
          person.email
        )
        order by person.name, shares.user_id
      ),
      '[]'
    )
    from shares
    cross join lateral(select name, email from users where users.id = shares.user_id offset 0) as person
    where shares.entity = 'dealership' and shares.record_id = "dealerships"."id"
  ) as "shares"
from "dealerships"
where (true and "dealerships"."id" <> all ($1::uuid[]))
order by dealerships.name collate "en-AU-x-icu", "id"
