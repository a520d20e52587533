-- The DATA_DIR of this database, by the id in its file folder.id: another folder lacks the backups.
create table data_folder (
  singleton boolean primary key default true check (singleton),
  id uuid not null
);
