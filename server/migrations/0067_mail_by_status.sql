-- Email History of one status, such as the few failed messages among many.
create index emails_by_status on emails (status, created_at desc, id desc);
