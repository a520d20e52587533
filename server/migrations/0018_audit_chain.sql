-- The audit log becomes a chain: entries are sealed in batches after they were written, by one sealer at a time,
-- so that no writer waits for another. Nothing of an entry is updated for it.

-- Part of the digest of the values, and gone with them: without it nobody can try out what was blanked.
alter table audit_entries add column salt uuid default gen_random_uuid();
-- Who signed in and who was refused, however long the log grows.
create index audit_entries_sessions on audit_entries (at) where entity = 'session';

create function audit_values_digest(salt uuid, before jsonb, after jsonb) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(salt, before, after)::text, 'UTF8'))
$$;

-- Everything that an entry says. The values are in it as their digest, which a blanked entry keeps.
create function audit_digest(entry audit_entries, values_digest bytea) returns bytea language sql stable as $$
  select sha256(convert_to(jsonb_build_array(
    entry.id, entry.at at time zone 'UTC', entry.actor_id, entry.actor_name, entry.ip, entry.request_id,
    entry.action, entry.entity, entry.record_id, entry.version, encode(values_digest, 'hex')
  )::text, 'UTF8'))
$$;

-- One batch. Each is made with the one before it.
create table audit_seals (
  number bigint primary key,
  sealed_at timestamptz not null default now(),
  -- Every transaction below had ended: what they wrote is in this seal or in one before it.
  horizon xid8 not null,
  entries integer not null,
  hash bytea not null,
  -- Made with SECRET_KEY: a seal cannot be made with the database alone.
  signature text not null,
  key_id text not null
);

-- Which entries are in which seal, and what they said.
create table audit_sealed (
  entry_id bigint primary key,
  seal bigint not null,
  digest bytea not null
);
create index audit_sealed_by_seal on audit_sealed (seal, entry_id);

-- The newest seal once more, signed in another way: who cuts the chain off cannot make it end earlier.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  number bigint not null,
  hash bytea not null,
  signature text not null,
  key_id text not null
);

-- Entries whose values an administrator had blanked, by the entry that is the order.
create table audit_blankings (
  entry_id bigint primary key,
  values_digest bytea not null,
  order_id bigint not null
);

create or replace function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' then
    if new.before is null and new.after is null and new.salt is null
      and to_jsonb(new) - '{before,after,salt}'::text[] = to_jsonb(old) - '{before,after,salt}'::text[]
      and exists (select from audit_blankings where entry_id = old.id)
    then
      return new;
    end if;
  end if;
  raise exception 'audit entries cannot be changed or removed';
end
$$;

create trigger audit_seals_are_final before update or delete on audit_seals
  for each row execute function refuse_change_of_audit();
create trigger audit_seals_stay before truncate on audit_seals
  for each statement execute function refuse_change_of_audit();
create trigger audit_sealed_is_final before update or delete on audit_sealed
  for each row execute function refuse_change_of_audit();
create trigger audit_sealed_stays before truncate on audit_sealed
  for each statement execute function refuse_change_of_audit();
create trigger audit_blankings_are_final before update or delete on audit_blankings
  for each row execute function refuse_change_of_audit();
create trigger audit_blankings_stay before truncate on audit_blankings
  for each statement execute function refuse_change_of_audit();
