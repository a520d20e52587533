-- A copy can be fetched back from the SSH server. Both are null for rows from before.

-- Where the copy was put on the server: settings may name another folder by the time it is fetched.
alter table backups add column copy_path text;
-- When a fetch last began: the 7 days of an automatic backup count from here. `job_id` names the job meanwhile.
alter table backups add column fetch_started_at timestamptz;
