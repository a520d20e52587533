-- An administrator can cancel a job, or a user an export. Its message names who did.
alter table jobs drop constraint jobs_status_check;
alter table jobs add constraint jobs_status_check check (status in ('running', 'succeeded', 'failed', 'cancelled'));
