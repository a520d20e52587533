-- Breaking: the former release does not find the content of files, which moves to the data folder.
-- Files by the SHA-256 of their content, which is below files/ of the data folder and not in the database.
create table files (
  digest bytea primary key check (length(digest) = 32),
  size bigint not null check (size > 0),
  created_at timestamptz not null default now()
);
comment on column files.created_at is 'Time of the last upload of this content.';

-- Without a digest, the content is still in the database: the clean-up of files moves it.
alter table deal_attachments add column digest bytea references files;
create index deal_attachments_digest on deal_attachments (digest);

alter table email_attachments add column digest bytea references files, alter column content drop not null;
alter table email_attachments add check (num_nonnulls(content, digest) = 1);
create index email_attachments_digest on email_attachments (digest);

alter table template_images add column digest bytea references files, alter column content drop not null;
alter table template_images add check (num_nonnulls(content, digest) = 1);
create index template_images_digest on template_images (digest);

alter table exports add column digest bytea references files;
create index exports_digest on exports (digest);

-- A file with a backup and the content of its files, as it is downloaded. Other backups name files in backups/files.
alter table backups add column embeds_files boolean not null default false;
