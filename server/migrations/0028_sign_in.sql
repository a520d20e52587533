-- Counts a try at a password as a failure of its account and of its address, unless one of them has to wait: then nothing is
-- counted, and it says how many seconds. One call instead of five statements. Tries of one account, and from one address, are
-- judged one after the other, so that of guesses made in parallel each knows of those before it. An account is its address
-- as the unique index of people sees it: two spellings are one.
create function count_try(
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

  select count(*), coalesce(extract(epoch from now() - max(at)), 0) into failures, seconds_ago
    from sign_in_failures where subject = account and at > since;
  wait := account_waits[least(failures + 1, cardinality(account_waits))] - seconds_ago;

  select count(*), coalesce(extract(epoch from now() - max(at)), 0) into failures, seconds_ago
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

-- Each sign-in removes what is long past: it does not have to look through all that was.
create index sessions_by_end on sessions (expires_at);
create index sign_in_failures_by_time on sign_in_failures (at);
