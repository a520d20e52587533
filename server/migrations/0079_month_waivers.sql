-- Checks of a month that were waived with a reason.
create table month_waivers (
  month text not null check (month ~ '^\d{4}-\d{2}$'),
  "check" text not null,
  reason text not null check (length(reason) between 1 and 500),
  rows integer not null check (rows > 0),
  waived_by uuid not null references users,
  waived_at timestamptz not null default now(),
  primary key (month, "check")
);
comment on column month_waivers."check" is 'A key of contract/src/month-checks.ts.';
comment on column month_waivers.rows is 'Number of rows for which the check is waived; with more rows it is open again.';
