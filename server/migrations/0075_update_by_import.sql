-- Not breaking: the former release neither writes this kind nor checks it when it reads.
alter table change_sets drop constraint change_sets_kind_check;
alter table change_sets add constraint change_sets_kind_check
  check (kind in ('edit', 'paste', 'fill', 'bulk', 'import', 'undo', 'api', 'revert', 'updateByImport'));
