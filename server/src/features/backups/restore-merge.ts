import type pg from 'pg';
import { ident, transactionOf } from '../../platform/db/dedicated-client.ts';
import { SCHEMA } from '../../platform/db/schemas.ts';
import type { Viewer } from '../../platform/http/context.ts';
import { resealColumns } from '../../platform/reseal.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { twoStepPlace } from '../auth/two-step.service.ts';
import { MERGED } from './restored-tables.ts';

const liveTable = (table: string) => `${ident(SCHEMA)}.${ident(table)}`;

/**
 * Adapts the secrets of another installation in the scratch schema. With its key they are re-encrypted. Without it they
 * are removed: settings read as 'not configured', and two-step sign-in is turned off, because nobody could pass it.
 * Returns whether secrets were lost.
 */
export async function adoptSecrets(
  client: pg.Client,
  formerSecrets: Secrets | undefined,
  ownSecrets: Secrets,
): Promise<boolean> {
  const { unreadable } = await resealColumns({
    tx: transactionOf(client),
    from: formerSecrets,
    to: ownSecrets,
  });
  if (!formerSecrets) await client.query('delete from two_step; delete from recovery_codes;');
  return unreadable.length > 0;
}

/** Holds queued mail in the scratch schema until an administrator decides: it may have been sent since the backup. */
export async function holdMail(client: pg.Client): Promise<void> {
  await client.query(`
    update emails set status = case status when 'sending' then 'queued' else status end,
      fate_unknown = fate_unknown or status = 'sending' or coalesce(next_attempt_at <= now(), false),
      held_at = now(), hold_reason = 'restore', leased_until = null, cancellable_until = null, version = version + 1, updated_at = now()
    where status in ('queued', 'retrying', 'sending')`);
}

/** Ends held mail whose delivery has ended since the backup. Returns the ids of mail that is still held. */
export async function settleHeldMail(client: pg.Client): Promise<string[]> {
  await client.query(`
    update emails set status = ended.status, answer = ended.answer, sent_at = ended.sent_at,
      attempts = ended.attempts, next_attempt_at = null, held_at = null, hold_reason = null
    from ${liveTable('emails')} ended
    where ended.id = emails.id and emails.held_at is not null and ended.status in ('sent', 'failed', 'cancelled', 'unconfirmed')`);
  await client.query(`
    update emails set fate_unknown = waiting.fate_unknown or waiting.status = 'sending'
    from ${liveTable('emails')} waiting where waiting.id = emails.id and emails.held_at is not null`);
  const { rows } = await client.query<{ id: string }>(
    'select id from emails where held_at is not null order by id',
  );
  return rows.map(({ id }) => id);
}

/**
 * Ensures that the restoring user remains an administrator with the current sign-in and permissions
 * (docs/product/security.md, A restore locks nobody out): updates their account in the backup, found by id or else by
 * address, or inserts the current one. Returns its id.
 */
export async function preserveRestorer(client: pg.Client, viewer: Viewer, secrets: Secrets): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select id from users where id = $1 or email = (select email from ${liveTable('users')} where id = $1)
     order by id = $1 desc`,
    [viewer.userId],
  );
  const id = rows[0]?.id ?? viewer.userId;
  if (rows.length === 0) {
    await client.query(`insert into users select * from ${liveTable('users')} where id = $1`, [id]);
  }
  await client.query(
    `update users set role = 'admin', is_active = true, force_password_change = me.force_password_change,
       two_step_required = me.two_step_required, version = users.version + 1
     from ${liveTable('users')} me where me.id = $2 and users.id = $1`,
    [id, viewer.userId],
  );
  for (const table of ['permission_records', 'passwords', 'two_step', 'recovery_codes']) {
    await client.query(`delete from ${table} where user_id = $1`, [id]);
    await client.query(
      `insert into ${table} select * from ${await rowsForAccount(client, table)} where user_id = $1`,
      [id, viewer.userId],
    );
  }
  if (id !== viewer.userId) await resealSecret(client, secrets, viewer.userId, id);
  return id;
}

/** Returns SQL that selects the current rows of the user $2 as rows of the account $1. */
async function rowsForAccount(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(case attname when 'user_id' then '$1::uuid as user_id' else quote_ident(attname) end, ', '
       order by attnum) as columns
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  return `(select ${rows[0]!.columns} from ${liveTable(table)} where user_id = $2) as mine`;
}

/** Re-encrypts a secret for another row: the ciphertext is bound to its row. */
async function resealSecret(client: pg.Client, secrets: Secrets, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ secret: string }>('select secret from two_step where user_id = $1', [
    to,
  ]);
  const plain = rows[0] && secrets.open(rows[0].secret, twoStepPlace(from));
  if (plain)
    await client.query('update two_step set secret = $1 where user_id = $2', [
      secrets.seal(plain, twoStepPlace(to)),
      to,
    ]);
}

/**
 * Copies current sessions and links of users that still exist, because a backup must not revive old ones. All sessions
 * are ended except the caller's, which continues for `restorerId`.
 */
export async function mergeSessions(client: pg.Client, viewer: Viewer, restorerId: string): Promise<void> {
  for (const table of MERGED) {
    await client.query(`
      insert into ${table} overriding system value
      select * from ${liveTable(table)} where user_id in (select id from users)`);
  }
  if (restorerId !== viewer.userId) {
    const accountRows = await rowsForAccount(client, 'sessions');
    await client.query('delete from sessions where id = $1', [viewer.sessionId]);
    await client.query(`insert into sessions select * from ${accountRows} where id = $3`, [
      restorerId,
      viewer.userId,
      viewer.sessionId,
    ]);
  }
  await client.query(
    `update sessions set ended_at = now(), end_reason = 'backup restored' where ended_at is null and id <> $1`,
    [viewer.sessionId],
  );
}

/** Appends the audit entries of this installation to the restored log of the other one. */
export async function continueAudit(client: pg.Client): Promise<void> {
  // Transaction ids of another database have no meaning here. They are set to the past, and the horizon of the last
  // seal is reset, because it does not separate sealed from new entries.
  await client.query(`
    alter table audit_entries disable trigger user;
    alter table audit_seals disable trigger user;
    update audit_entries set xid = '3';
    update audit_seals set horizon = '0' where number = (select max(number) from audit_seals);
    alter table audit_entries enable trigger user;
    alter table audit_seals enable trigger user;`);
  const { rows } = await client.query<{ columns: string }>(`
    select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = 'audit_entries'::regclass and attnum > 0 and not attisdropped and attname <> 'id'`);
  const { columns } = rows[0]!;
  await client.query(
    `insert into audit_entries (${columns}) select ${columns} from ${liveTable('audit_entries')} order by id`,
  );
  await client.query(
    `insert into change_sets select * from ${liveTable('change_sets')} on conflict do nothing`,
  );
  // Counters refer to audit entries, whose numbers differ here.
  await client.query('update change_sets set counted_to = null');
}
