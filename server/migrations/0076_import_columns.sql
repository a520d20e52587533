-- The headers of a dealership's own file by field of a deal, as chosen at its last import.
alter table dealerships add column import_columns jsonb not null default '{}';
