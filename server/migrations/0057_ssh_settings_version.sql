-- The SSH settings get a version, so that an administrator does not overwrite those that another one has saved since.
alter table backup_settings add column ssh_version integer not null default 1;
