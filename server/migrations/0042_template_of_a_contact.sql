-- Contacts refer to their template by id and show its name. A name that no template has stays a name: the API takes
-- any, such a contact gets no mail by the dealership's default template, and must not begin to by an upgrade.
alter table contacts add column template_id uuid references email_templates;
alter table contacts alter column template_name drop not null;
update contacts set template_id = email_templates.id, template_name = null
  from email_templates where lower(email_templates.name) = lower(contacts.template_name);
alter table contacts add constraint contacts_template_check check ((template_id is null) <> (template_name is null));
drop index contacts_template;
create index contacts_template on contacts (template_id);
comment on column contacts.template_name is 'Only where no template has this name. The first one that gets it becomes the template of the contact.';
