-- Which earlier version a version brought back.
alter table email_template_versions add column restored_from integer;

-- How often a template was sent, and when last.
create index emails_of_template on emails (template_id, sent_at desc) where status = 'sent';
-- Contacts name their template, whatever the case.
create index contacts_template on contacts (lower(template_name));
