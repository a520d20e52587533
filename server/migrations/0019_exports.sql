-- Exports: what was asked for, and the finished file in pieces.

create table exports (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null,
  format text not null check (format in ('csv', 'xlsx')),
  name text not null,
  filter jsonb not null,
  -- What the person was allowed when it began, as a hash: with other rights the file is not theirs any more.
  rights bytea not null,
  job_id uuid,
  row_count integer not null default 0,
  size bigint not null default 0,
  created_at timestamptz not null default now(),
  -- Null until the file is whole: only then can it be downloaded.
  finished_at timestamptz
);
create index exports_of_person on exports (user_id, created_at desc);
create index exports_age on exports (created_at);

create table export_pieces (
  export_id uuid not null references exports on delete cascade,
  position integer not null,
  content bytea not null,
  primary key (export_id, position)
);
-- Zip files and text that was compressed already: a second try takes time and wins nothing.
alter table export_pieces alter column content set storage external;
