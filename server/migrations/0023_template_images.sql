-- Images of templates: the files, which templates have used them, and which messages have gone out with them.

create table template_images (
  id uuid primary key,
  -- By its content, never by its name or by what a browser says.
  type text not null check (type in ('image/png', 'image/jpeg', 'image/gif')),
  width integer not null,
  height integer not null,
  content bytea not null check (length(content) between 1 and 2097152),
  -- Until a template is saved with it, an image is theirs alone who added it.
  created_by uuid not null references users,
  created_at timestamptz not null default now()
);
-- Compressed already: a second try takes time and wins nothing.
alter table template_images alter column content set storage external;
create index template_images_age on template_images (created_at);

-- In one of its versions at least; whoever may read a template may see these.
create table template_image_uses (
  template_id uuid not null references email_templates on delete cascade,
  image_id uuid not null references template_images on delete cascade,
  primary key (template_id, image_id)
);
create index template_image_uses_of_image on template_image_uses (image_id);

-- A message keeps its images as long as it is kept itself.
create table email_images (
  email_id uuid not null references emails on delete cascade,
  image_id uuid not null references template_images,
  primary key (email_id, image_id)
);
create index email_images_of_image on email_images (image_id);
