-- What a copy lacks that was loaded with psql from a backup of an earlier release. Everywhere else nothing changes.
create collation if not exists natural_order (provider = icu, locale = 'en-AU-u-kn-true-ks-level1', deterministic = false);
alter table export_pieces alter column content set storage external;
alter table template_images alter column content set storage external;
alter table email_attachments alter column content set storage external;
alter table deals set (fillfactor = 90);
