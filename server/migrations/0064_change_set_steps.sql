-- The set that this one undoes or redoes: the list shows both as one, with its state.
alter table change_sets add column of_set uuid;
comment on column change_sets.of_set is 'No foreign key: that set is missing where its rows were saved with a later one.';
create index change_sets_steps on change_sets (of_set, created_at, id) where of_set is not null;
-- The names of rows are read from the entries now.
comment on column change_sets.first_row is 'Unused, but written by instances of the former release. A later migration removes it.';
