-- Imports ask for thousands of phone numbers and deal numbers at once: each is found without reading the table.

create index deals_customer_number on deals (customer_number) where deleted_at is null;
create index deals_deal_number on deals (lower(deal_number)) where deleted_at is null;
