-- Breaking: names of tables and columns become terms of the field. No row changes, and grants stay with the tables.
-- What an audit digest covers is a list of values without names, so that logs sealed before verify as they did.

alter table viewings rename to impersonations;
alter table audit_sealed rename to audit_seal_entries;
alter table audit_blankings rename to audit_redactions;
alter table counted_calls rename to rate_limit_events;
alter table export_pieces rename to export_chunks;

alter table audit_entries rename at to created_at;
alter table email_verifications rename at to created_at;
alter table mailbox_connections rename at to created_at;
alter table rate_limit_events rename at to created_at;
alter table sign_in_failures rename at to created_at;
-- That of a due follow-up is the time it was due.
alter table notifications rename at to occurred_at;
alter table notifications rename by_id to created_by;
alter table audit_head rename only_row to singleton;
alter table backup_settings rename only_row to singleton;
alter table installation rename only_row to singleton;
alter table backup_settings rename last_drill to last_restore_test;
alter table email_settings rename paused_because to pause_reason;
alter table email_verifications rename passed to verified_fingerprint;
alter table emails rename fence to lease_token;
alter table emails rename parked_at to held_at;
alter table emails rename parked_because to hold_reason;
alter table emails rename tried_since to first_attempt_at;
alter table exports rename rights to permissions_hash;
alter table installation rename mail_alive_at to mail_heartbeat_at;
alter table jobs rename alive_at to heartbeat_at;
alter table sessions rename ended_because to end_reason;

alter sequence counted_calls_id_seq rename to rate_limit_events_id_seq;

alter table impersonations rename constraint viewings_pkey to impersonations_pkey;
alter table impersonations rename constraint viewings_session_id_fkey to impersonations_session_id_fkey;
alter table impersonations rename constraint viewings_user_id_fkey to impersonations_user_id_fkey;
alter table audit_seal_entries rename constraint audit_sealed_pkey to audit_seal_entries_pkey;
alter table audit_redactions rename constraint audit_blankings_pkey to audit_redactions_pkey;
alter table rate_limit_events rename constraint counted_calls_pkey to rate_limit_events_pkey;
alter table export_chunks rename constraint export_pieces_pkey to export_chunks_pkey;
alter table export_chunks rename constraint export_pieces_export_id_fkey to export_chunks_export_id_fkey;
alter table audit_head rename constraint audit_head_only_row_check to audit_head_singleton_check;
alter table backup_settings rename constraint backup_settings_only_row_check to backup_settings_singleton_check;
alter table installation rename constraint installation_only_row_check to installation_singleton_check;
alter table installation rename constraint installation_only_row_key to installation_singleton_key;
alter table emails rename constraint emails_parked_because_check to emails_hold_reason_check;
alter table notifications rename constraint notifications_by_id_fkey to notifications_created_by_fkey;
alter table notifications rename constraint notifications_user_id_kind_record_id_at_key
  to notifications_user_id_kind_record_id_occurred_at_key;
-- PostgreSQL 18 names these too.
do $$
declare
  renamed record;
begin
  for renamed in
    select conrelid::regclass as place, conname, format('%s_%s_not_null', relname, attname) as wanted
    from pg_constraint
    join pg_class on pg_class.oid = conrelid
    join pg_attribute on attrelid = conrelid and attnum = conkey[1]
    where connamespace = current_schema()::regnamespace and contype = 'n'
      and (relname in ('impersonations', 'audit_seal_entries', 'audit_redactions', 'rate_limit_events', 'export_chunks')
        or conname ~ '_(at|only_row|fence|rights|alive_at)_not_null$')
  loop
    if renamed.conname <> renamed.wanted then
      execute format('alter table %s rename constraint %I to %I', renamed.place, renamed.conname, renamed.wanted);
    end if;
  end loop;
end
$$;

alter index audit_entries_at rename to audit_entries_created_at;
alter index audit_sealed_by_seal rename to audit_seal_entries_seal;
alter index counted_calls_recent rename to rate_limit_events_subject;
alter index deal_items_of_item rename to deal_items_item;
alter index deals_to_call rename to deals_follow_up;
alter index email_attachment_uses_of_attachment rename to email_attachment_uses_attachment;
alter index email_attachments_unused_of_person rename to email_attachments_unused_by_user;
alter index email_deals_of_email rename to email_deals_email;
alter index email_images_of_image rename to email_images_image;
alter index emails_of_batch rename to emails_batch;
alter index emails_of_template rename to emails_sent_by_template;
alter index exports_age rename to exports_created_at;
alter index exports_of_person rename to exports_user;
alter index idempotency_keys_age rename to idempotency_keys_created_at;
alter index jobs_age rename to jobs_created_at;
alter index jobs_of_calls rename to jobs_idempotency_key;
alter index password_links_of_person rename to password_links_user;
alter index sessions_by_end rename to sessions_expires_at;
alter index sessions_live rename to sessions_active;
alter index shares_of_person rename to shares_user;
alter index sign_in_failures_by_time rename to sign_in_failures_created_at;
alter index template_image_uses_of_image rename to template_image_uses_image;
alter index template_images_age rename to template_images_created_at;
alter index viewings_of_session rename to impersonations_session;

alter trigger audit_entries_are_final on audit_entries rename to forbid_audit_change;
alter trigger audit_entries_stay on audit_entries rename to forbid_audit_truncate;
alter trigger audit_seals_are_final on audit_seals rename to forbid_audit_change;
alter trigger audit_seals_stay on audit_seals rename to forbid_audit_truncate;
alter trigger audit_sealed_is_final on audit_seal_entries rename to forbid_audit_change;
alter trigger audit_sealed_stays on audit_seal_entries rename to forbid_audit_truncate;
alter trigger audit_blankings_are_final on audit_redactions rename to forbid_audit_change;
alter trigger audit_blankings_stay on audit_redactions rename to forbid_audit_truncate;
alter trigger dealership_shares_go on dealerships rename to delete_dealership_shares;
alter trigger deal_shares_go on deals rename to delete_deal_shares;
alter trigger email_template_shares_go on email_templates rename to delete_email_template_shares;
alter trigger item_shares_go on items rename to delete_item_shares;
alter trigger deals_closing on deals rename to set_deal_closed_at;

alter function remove_shares() rename to delete_shares;

alter function refuse_change_of_audit() rename to forbid_audit_change;
create or replace function forbid_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' then
    if new.before is null and new.after is null and new.salt is null
      and to_jsonb(new) - '{before,after,salt}'::text[] = to_jsonb(old) - '{before,after,salt}'::text[]
      and exists (select from audit_redactions where entry_id = old.id)
    then
      return new;
    end if;
  end if;
  raise exception 'audit entries cannot be changed or removed';
end
$$;

create or replace function audit_digest(entry audit_entries, values_digest bytea) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(
    entry.id, entry.created_at at time zone 'UTC', entry.actor_id, entry.actor_name, entry.ip, entry.request_id,
    entry.action, entry.entity, entry.record_id, entry.version, encode(values_digest, 'hex')
  )::text, 'UTF8'))
$$;

alter function note_closing() rename to set_deal_closed_at;
create or replace function set_deal_closed_at() returns trigger language plpgsql as $$
declare
  -- Null while a backup is loaded, before its statuses: the row keeps its own value.
  closed boolean := (select is_closed from statuses where id = new.status_id);
begin
  if tg_op = 'UPDATE' and new.status_id = old.status_id then
    return new;
  end if;
  if not closed then
    new.closed_at := null;
  elsif closed and new.closed_at is null then
    new.closed_at := now();
  end if;
  return new;
end
$$;

drop function count_try(text, text, double precision[], bigint, double precision);
-- Records an attempt as a failure of account and address, unless one of them is throttled: then `wait` is above 0.
create function record_sign_in_failure(
  email text, ip text, account_waits double precision[], address_failures bigint, address_wait double precision,
  out account text, out failure_ids bigint[], out wait double precision
) returns record language plpgsql as $$
declare
  address constant text := 'address:' || ip;
  since constant timestamptz := now() - interval '15 minutes';
  failures bigint;
  seconds_ago double precision;
begin
  account := 'account:' || lower(email);
  -- The account's lock always comes first: no deadlock.
  perform pg_advisory_xact_lock(hashtextextended(account, 0));
  perform pg_advisory_xact_lock(hashtextextended(address, 0));

  -- A failure of a transaction that this one waited for can be newer than now(): it counts as 0 seconds ago.
  select count(*), coalesce(greatest(0, extract(epoch from now() - max(created_at))), 0) into failures, seconds_ago
    from sign_in_failures where subject = account and created_at > since;
  wait := account_waits[least(failures + 1, cardinality(account_waits))] - seconds_ago;

  select count(*), coalesce(greatest(0, extract(epoch from now() - max(created_at))), 0) into failures, seconds_ago
    from sign_in_failures where subject = address and created_at > since;
  if failures >= address_failures then
    wait := greatest(wait, address_wait - seconds_ago);
  end if;

  if wait <= 0 then
    with new as (insert into sign_in_failures (subject) values (account), (address) returning id)
      select array_agg(id) into failure_ids from new;
  end if;
end
$$;

comment on column audit_seal_entries.entry_id is 'No foreign key: as audit_redactions.entry_id.';
