-- Of two tries at one password at the same moment, the second has waited for the lock of one that may have begun after it:
-- counted from then, less than no time had passed, and an account without any wait had to wait for a few milliseconds.
create or replace function count_try(
  email text, ip text,
  -- How many seconds an account waits after none, one, two … failures, and the same after all further ones.
  account_waits double precision[],
  -- From how many failures on an address waits, and how many seconds.
  address_failures bigint, address_wait double precision,
  out account text, out counted bigint[], out wait double precision
) language plpgsql as $$
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

  -- Whom this one has waited for may have begun after it: that is no time ago, and not less than none.
  select count(*), coalesce(greatest(0, extract(epoch from now() - max(at))), 0) into failures, seconds_ago
    from sign_in_failures where subject = account and at > since;
  wait := account_waits[least(failures + 1, cardinality(account_waits))] - seconds_ago;

  select count(*), coalesce(greatest(0, extract(epoch from now() - max(at))), 0) into failures, seconds_ago
    from sign_in_failures where subject = address and at > since;
  if failures >= address_failures then
    wait := greatest(wait, address_wait - seconds_ago);
  end if;

  if wait <= 0 then
    with new as (insert into sign_in_failures (subject) values (account), (address) returning id)
      select array_agg(id) into counted from new;
  end if;
end
$$;
