-- Whether deals with a status earn commission. Null: nobody has decided yet, and they do. In an installation without
-- deals only Deal counts; one that has deals keeps its sums until an administrator decides.
alter table statuses add column counts_for_commission boolean default false;
update statuses set counts_for_commission = case
  when not exists (select from deals) then id = '01930000-0000-7000-8000-000000000003' end;
