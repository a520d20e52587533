import type pg from 'pg';
import { SCHEMA } from '../../platform/db/database.ts';
import { ident } from '../../platform/db/direct.ts';
import type { Context, Viewer } from '../../platform/http/context.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { CARRIED } from './restored-tables.ts';

/** What is sealed with SECRET_KEY: which column, in the row of which record. */
const SEALED = [
  { table: 'email_settings', column: 'smtp_password', id: 'user_id' },
  { table: 'email_settings', column: 'refresh_token', id: 'user_id' },
  { table: 'two_step', column: 'secret', id: 'user_id' },
] as const;

const now = (table: string) => `${ident(SCHEMA)}.${ident(table)}`;

/**
 * Makes secrets of another installation ours, in the scratch schema: with its key they are sealed anew with our own.
 * Without it they can never be opened: they read as 'not configured', and two-step sign-in is off, since nobody
 * could pass it. Answers whether any were lost.
 */
export async function adoptSecrets(
  client: pg.Client,
  theirs: Secrets | undefined,
  ours: Secrets,
): Promise<boolean> {
  let lost = false;
  for (const { table, column, id } of SEALED) {
    const { rows } = await client.query<{ id: string; sealed: string }>(
      `select ${id} as id, ${column} as sealed from ${table} where ${column} is not null`,
    );
    for (const row of rows) {
      const place = { table, column, recordId: row.id };
      const plain = theirs?.open(row.sealed, place) ?? null;
      if (plain === null) lost = true;
      else
        await client.query(`update ${table} set ${column} = $1 where ${id} = $2`, [
          ours.seal(plain, place),
          row.id,
        ]);
    }
  }
  if (!theirs) await client.query('delete from two_step; delete from recovery_codes;');
  return lost;
}

/** Mail that a backup would send again waits for an administrator, in the scratch schema. */
export async function parkMail(client: pg.Client): Promise<void> {
  await client.query(`
    update emails set status = case status when 'sending' then 'queued' else status end,
      parked_at = now(), leased_until = null, cancellable_until = null, version = version + 1, updated_at = now()
    where status in ('queued', 'retrying', 'sending')`);
}

/** Of parked mail, what is known to have ended since the backup has ended. Answers how much is left waiting. */
export async function settleMail(client: pg.Client): Promise<number> {
  await client.query(`
    update emails set status = ended.status, answer = ended.answer, sent_at = ended.sent_at,
      attempts = ended.attempts, next_attempt_at = null, parked_at = null
    from ${now('emails')} ended
    where ended.id = emails.id and emails.parked_at is not null and ended.status in ('sent', 'failed', 'cancelled')`);
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from emails where parked_at is not null',
  );
  return rows[0]!.count;
}

/**
 * The restoring administrator stays one, and signs in as they do now (security.md J8): their account in the backup,
 * by id or else by address, or the one of now where there is none. Answers its id.
 */
export async function keepRestorer(client: pg.Client, viewer: Viewer, secrets: Secrets): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `select id from users where id = $1 or email = (select email from ${now('users')} where id = $1)
     order by id = $1 desc`,
    [viewer.userId],
  );
  const id = rows[0]?.id ?? viewer.userId;
  if (rows.length === 0) {
    await client.query(`insert into users select * from ${now('users')} where id = $1`, [id]);
    await client.query(
      `insert into permission_records select * from ${now('permission_records')} where user_id = $1`,
      [id],
    );
  }
  await client.query(
    `update users set role = 'admin', is_active = true, force_password_change = me.force_password_change,
       two_step_required = me.two_step_required, version = users.version + 1
     from ${now('users')} me where me.id = $2 and users.id = $1`,
    [id, viewer.userId],
  );
  for (const table of ['passwords', 'two_step', 'recovery_codes']) {
    await client.query(`delete from ${table} where user_id = $1`, [id]);
    await client.query(
      `insert into ${table} select * from ${await asRow(client, table)} where user_id = $1`,
      [id, viewer.userId],
    );
  }
  if (id !== viewer.userId) await moveSecret(client, secrets, viewer.userId, id);
  return id;
}

/** The rows of the person of now ($2) as rows of the account that they get ($1). */
async function asRow(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(case attname when 'user_id' then '$1::uuid as user_id' else quote_ident(attname) end, ', '
       order by attnum) as columns
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  return `(select ${rows[0]!.columns} from ${now(table)} where user_id = $2) as mine`;
}

/** A sealed secret opens in its own row only. */
async function moveSecret(client: pg.Client, secrets: Secrets, from: string, to: string): Promise<void> {
  const place = (recordId: string) => ({ table: 'two_step', column: 'secret', recordId });
  const { rows } = await client.query<{ secret: string }>('select secret from two_step where user_id = $1', [
    to,
  ]);
  const plain = rows[0] && secrets.open(rows[0].secret, place(from));
  if (plain)
    await client.query('update two_step set secret = $1 where user_id = $2', [
      secrets.seal(plain, place(to)),
      to,
    ]);
}

/**
 * Takes along what a backup must not replace: sessions and links of people who are still there. All sessions end but
 * the one that restores, which goes on as `restorerId`'s.
 */
export async function carryOver(client: pg.Client, viewer: Viewer, restorerId: string): Promise<void> {
  for (const table of CARRIED) {
    await client.query(`
      insert into ${table} overriding system value
      select * from ${now(table)} where user_id in (select id from users)`);
  }
  if (restorerId !== viewer.userId) {
    const theirs = await asRow(client, 'sessions');
    await client.query('delete from sessions where id = $1', [viewer.sessionId]);
    await client.query(`insert into sessions select * from ${theirs} where id = $3`, [
      restorerId,
      viewer.userId,
      viewer.sessionId,
    ]);
  }
  await client.query(
    `update sessions set ended_at = now(), ended_because = 'backup restored' where ended_at is null and id <> $1`,
    [viewer.sessionId],
  );
}

/** The log of the installation whose work is taken over is continued by what was written here until now. */
export async function continueAudit(client: pg.Client): Promise<void> {
  // Its transactions were those of another database: here they are long past.
  await client.query(`
    alter table audit_entries disable trigger user;
    update audit_entries set xid = '3';
    alter table audit_entries enable trigger user;`);
  const { rows } = await client.query<{ columns: string }>(`
    select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = 'audit_entries'::regclass and attnum > 0 and not attisdropped and attname <> 'id'`);
  const { columns } = rows[0]!;
  await client.query(
    `insert into audit_entries (${columns}) select ${columns} from ${now('audit_entries')} order by id`,
  );
}

/** The entry about the restore, in the transaction of the swap. */
export async function writeAudit(
  client: pg.Client,
  { viewer, origin }: Context,
  after: { name: string } & Record<string, unknown>,
): Promise<void> {
  await client.query(
    `insert into audit_entries (actor_id, actor_name, ip, request_id, action, entity, record_id, after)
     values ($1, $2, $3, $4, 'backup.restored', 'backup', (select id from backups where name = $5), $6)`,
    [viewer.userId, viewer.name, origin.ip, origin.requestId, after.name, JSON.stringify(after)],
  );
}
