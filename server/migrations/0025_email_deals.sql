-- Breaking: a message may be about many deals, so which ones and in which version moves into a table of its own.
create table email_deals (
  deal_id uuid not null references deals on delete cascade,
  email_id uuid not null references emails on delete cascade,
  -- The version that the message told of (null: sent before that was noted).
  deal_version integer,
  primary key (deal_id, email_id)
);
create index email_deals_of_email on email_deals (email_id);

insert into email_deals (deal_id, email_id, deal_version)
  select deal_id, id, deal_version from emails where deal_id is not null;
alter table emails drop column deal_id, drop column deal_version;

-- What the history is filtered by.
create index emails_by_template on emails (template_id, created_at desc, id desc);
create index emails_by_dealership on emails (dealership_id, created_at desc, id desc);
