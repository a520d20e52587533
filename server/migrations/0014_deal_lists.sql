-- Lists and searches whose cost does not grow with the table. Writes every deal anew: a minute or two for each million.

-- How people read: 'D-9' before 'D-10', capitals and accents aside. For sorting in queries; no index depends on it.
create collation natural_order (provider = icu, locale = 'en-AU-u-kn-true-ks-level1', deterministic = false);

-- What a clerk looks for, phone numbers by their digits alone. A column of its own, since PostgreSQL knows how often a
-- text occurs in a column, and by that whether the trigrams or the newest rows lead to a match sooner.
drop index deals_search;
alter table deals add column search_text text not null generated always as (
  lower(customer_name || ' ' || deal_number || ' ' || vehicle || ' ' || customer_email || ' '
    || regexp_replace(customer_number, '\D', '', 'g'))
) stored;
create index deals_search on deals using gin (search_text gin_trgm_ops) where deleted_at is null;

-- All months, and those of one status or owner, newest first.
create index deals_newest on deals (created_at desc, id desc) where deleted_at is null;
drop index deals_status;
create index deals_status on deals (status_id, created_at desc, id desc);
drop index deals_owner;
create index deals_owner on deals (owner_id, created_at desc, id desc) where deleted_at is null;
