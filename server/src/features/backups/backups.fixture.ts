import { errorCodes, type ErrorCode } from '@forecourt/contract/errors';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { TEST_KEY, type Person, type Reply, type TestApp } from '../../../test/app.ts';
import { emptyDatabase } from '../../../test/database.ts';
import { readConfig } from '../../platform/config.ts';
import { openDatabase, type Db } from '../../platform/db/database.ts';
import { withClient } from '../../platform/db/dedicated-client.ts';
import { migrate, readMigrations, type Migration } from '../../platform/db/migrations.ts';
import { createFileStore } from '../../platform/files/file-store.ts';
import { newId } from '../../platform/ids.ts';
import { createProgress } from '../../platform/jobs/progress.ts';
import { openEventBus } from '../../platform/live/event-bus.ts';
import { createLog } from '../../platform/log.ts';
import type { Store } from '../../platform/s3/store.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { openBackupFolder } from './backup-bucket.ts';
import { createBackupsService } from './backups.service.ts';
import { preservedTables, MERGED, EMPTIED } from './restored-tables.ts';
import { createS3SettingsService } from './s3-settings.service.ts';
import { createSshSettingsService } from './ssh-settings.service.ts';
import { takeSnapshot, writeBackup } from './write-backup.ts';

/** Returns the backups of another instance of the same installation: same database, folder and key. */
export async function anotherInstance(
  server: TestApp,
  { key = TEST_KEY, dataDir = server.dataDir, store }: { key?: Buffer; dataDir?: string; store?: Store } = {},
) {
  const { db, connection } = server;
  const log = createLog('silent');
  const eventBus = openEventBus(connection, log);
  const progress = createProgress({ db, eventBus, log });
  const [secrets, config] = [createSecrets(key), readConfig({ DATA_DIR: dataDir })];
  const files = createFileStore(dataDir, store);
  const destinations = [
    createSshSettingsService({ secrets, config }),
    createS3SettingsService({ secrets, config }),
  ].map(({ destination }) => destination);
  const backups = createBackupsService({
    connection,
    db,
    secrets,
    config,
    destinations,
    folder: openBackupFolder(dataDir, files.folder, store),
    files,
    migrations: await readMigrations(),
    progress,
    // Only requests copy rows.
    backupRows: { search: neverCalled, copy: neverCalled },
  });
  return {
    ...backups,
    async close(): Promise<void> {
      await progress.stop();
      await eventBus.close();
    },
  };
}

const neverCalled = (): Promise<never> => Promise.reject(new Error('Not in these tests'));

/** Records a copy on the SSH server of every backup, or of one. */
export async function addCopy(
  db: TestApp['db'],
  { name, ...values }: { name?: string; destination?: string; state?: string; problem?: string | null } = {},
): Promise<void> {
  const backups = await db
    .selectFrom('backups')
    .select('id')
    .$if(name !== undefined, (query) => query.where('name', '=', name!))
    .execute();
  await db
    .insertInto('backup_copies')
    .values(backups.map(({ id }) => ({ backup_id: id, destination: 'ssh', state: 'copied', ...values })))
    .execute();
}

/** As long as a test may take. `expect.poll` works in tests only, not in their preparation. */
const PATIENCE = { timeout: 300_000, interval: 50 };

/** Polls until a job has ended, and returns it. Without pauses this would use as much processor time as the job. */
export async function jobEnd(server: TestApp, by: Person, jobId: string): Promise<Reply['body']> {
  return vi.waitUntil(async () => {
    const { status, body } = await server.call(`GET /jobs/${jobId}`, { token: by.token });
    expect(status).toBe(200);
    return body.status !== 'running' && body;
  }, PATIENCE);
}

/** Sends a request; when the server is too slow, waits for the job and returns the response it would have sent. */
export async function callToEnd(
  server: TestApp,
  by: Person,
  route: string,
  body: object = {},
): Promise<Pick<Reply, 'status' | 'body'>> {
  const reply = await server.call(route, { token: by.token, body });
  return reply.status === 202 ? responseOf(await jobEnd(server, by, reply.body.jobId)) : reply;
}

/** Returns the response that a request would have sent whose work continued as a job. */
export function responseOf({ status, result, code, message }: Reply['body']): Pick<Reply, 'status' | 'body'> {
  if (status === 'succeeded') return { status: 200, body: result };
  return { status: errorCodes[code as ErrorCode].status, body: { code, message, details: message } };
}

/** Creates a backup through the API and returns its name. */
export async function makeOne(server: TestApp, by: Person): Promise<string> {
  const { status, body } = await server.call('POST /backups', { token: by.token });
  expect([status, body]).toMatchObject([201, { pending: true }]);
  expect(await jobEnd(server, by, body.jobId)).toMatchObject({ status: 'succeeded', percent: 100 });
  return body.name;
}

type Elsewhere = {
  /** The last migration of that installation's release. */
  until?: number | undefined;
  /** Migrations of a later release. */
  later?: Migration[];
  key: Buffer;
  fill: (db: Db, userId: string) => Promise<unknown>;
};

/** Writes a backup of another installation, called Old Company, with one user, one deal and one audit entry. */
export async function writeElsewhere(
  path: string,
  { until = Infinity, later = [], key, fill }: Elsewhere,
): Promise<void> {
  const there = await emptyDatabase();
  const log = createLog('silent');
  const migrations = [...(await readMigrations()).filter(({ version }) => version <= until), ...later];
  await migrate(there.connection, migrations, log);
  const opened = openDatabase(there.connection, log, 1);
  const { db } = opened;
  const [user, dealer] = [newId(), newId()];
  await sql`insert into installation (id, key_check) values (${newId()}, 'x')`.execute(db);
  await sql`insert into users (id, name, email, role) values (${user}, 'Old Hand', 'old@example.com', 'admin')`.execute(
    db,
  );
  await sql`insert into dealerships (id, name, address, owner_id) values (${dealer}, 'Old Cars', '1 Street', ${user})`.execute(
    db,
  );
  await sql`insert into deals (id, status_id, dealership_id, customer_name, month, owner_id, created_by, updated_by)
    values (${newId()}, '01930000-0000-7000-8000-000000000001', ${dealer}, 'From elsewhere', '2026-11', ${user}, ${user}, ${user})`.execute(
    db,
  );
  await sql`insert into audit_entries (actor_name, ip, request_id, action, entity)
    values ('Old Hand', '', 'theirs', 'deal.created', 'deal')`.execute(db);
  await fill(db, user);
  await opened.close();
  const secrets = createSecrets(key);
  await withClient(there.connection, async (client) => {
    const snapshot = await takeSnapshot(client, {
      migrations,
      company: 'Old Company',
      keyId: secrets.keyId,
      lock: async () => {},
    });
    await writeBackup(client, snapshot, { path, secrets, onRows() {} });
  });
  await there.close();
}

const NOT_RESTORED = new Set<string>([...preservedTables(false), ...MERGED, ...EMPTIED]);

/** Tables whose rows a job moves or computes at any time. */
const COMPUTED = new Set(['deal_sum_changes', 'deal_item_sums']);

/** The sums of both tables: a job moves what changed from one to the other. */
const DEAL_SUMS = sql`(
  select month, dealership_id, status_id, owner_id, sum(deals), sum(sale_amount), sum(gross_profit), sum(commission),
    sum(with_rate), sum(without_rate), sum(closed), sum(closing_seconds)
  from (table deal_sums union all table deal_sum_changes) as part
  group by month, dealership_id, status_id, owner_id having sum(deals) <> 0)`;

/** Returns hash sums of the rows of every table, except those that a restore does not replace or others. */
export async function digestOf(
  db: Db,
  except: ReadonlySet<string> = NOT_RESTORED,
): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(db);
  const digests: Record<string, string> = {};
  for (const { name } of tables
    .filter((table) => !except.has(table.name) && !COMPUTED.has(table.name))
    .toSorted((a, b) => a.name.localeCompare(b.name))) {
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest
      from ${name === 'deal_sums' ? DEAL_SUMS : sql.table(name)} t`.execute(db);
    digests[name] = rows[0]!.digest;
  }
  return digests;
}

/**
 * Returns the whole catalogue of a database, line by line: a new kind of object is included without being named here.
 * Debian's PostgreSQL stores an option of its own in each column (`pg_attver`).
 */
export async function catalogueOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with here as (select current_schema()::regnamespace as oid), lines as (
      select 'relation', relname::text, to_jsonb(array[relkind::text, relpersistence::text, reloptions::text,
        relrowsecurity::text, relforcerowsecurity::text, relreplident::text,
        (select reloptions::text from pg_class toast where toast.oid = c.reltoastrelid),
        (select pg_get_indexdef(c.oid) where relkind = 'i'), (select pg_get_viewdef(c.oid) where relkind in ('v', 'm'))])
      from pg_class c, here where relnamespace = here.oid
      union all
      select 'column', c.relname || '.' || attname, to_jsonb(array[rank() over (partition by c.oid order by attnum)::text,
        format_type(atttypid, atttypmod), attnotnull::text, pg_get_expr(d.adbin, d.adrelid), attidentity::text,
        attgenerated::text, l.collname::text, attstorage::text, attcompression::text,
        (select string_agg(option, ',' order by option) from unnest(attoptions) as option where option !~ '^pg_'),
        coalesce(attstattarget, -1)::text, col_description(c.oid, attnum)])
      from here, pg_class c join pg_attribute a on a.attrelid = c.oid
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = attnum left join pg_collation l on l.oid = attcollation
      where c.relnamespace = here.oid and c.relkind = 'r' and attnum > 0 and not attisdropped
      union all
      select 'constraint', conname::text, to_jsonb(array[conrelid::regclass::text, pg_get_constraintdef(c.oid, true),
        convalidated::text]) from pg_constraint c, here where connamespace = here.oid
      union all
      select 'trigger', tgname::text, to_jsonb(array[pg_get_triggerdef(t.oid), tgenabled::text])
      from here, pg_trigger t join pg_class c on c.oid = tgrelid where relnamespace = here.oid and not tgisinternal
      union all
      select 'function', proname::text, to_jsonb(pg_get_functiondef(p.oid))
      from pg_proc p, here where pronamespace = here.oid
      union all
      select 'sequence', seqrelid::regclass::text, to_jsonb(s) - '{seqrelid}'::text[]
      from here, pg_sequence s join pg_class c on c.oid = seqrelid where relnamespace = here.oid
      union all
      select 'collation', collname::text, to_jsonb(l) - '{oid,collnamespace,collowner,collversion}'::text[]
      from pg_collation l, here where collnamespace = here.oid
      union all
      select 'type', typname::text, to_jsonb(array[typtype::text, (select string_agg(enumlabel, ',' order by enumsortorder)
        from pg_enum where enumtypid = t.oid), typnotnull::text]) from pg_type t, here where typnamespace = here.oid
      union all
      select 'statistics', stxname::text, to_jsonb(pg_get_statisticsobjdef(s.oid))
      from pg_statistic_ext s, here where stxnamespace = here.oid
      union all
      select 'extension', extname::text, to_jsonb(nspname)
      from pg_extension e join pg_namespace n on n.oid = extnamespace
      union all
      select 'policy', policyname::text, to_jsonb(p) from pg_policies p where schemaname = current_schema()
    )
    select concat_ws(' ', kind, name, facts) as line
    from lines as lines(kind, name, facts) order by 1`.execute(db);
  return rows.map(({ line }) => line);
}

/** `COPY forecourt."users" ("id") FROM stdin;`, and 8 MiB of line breaks, compressed by bzip2. */
const BZIP2_COPY =
  'QlpoOTFBWSZTWRce4OIAAAbfgAAQUGEACAkC0CAPIZ4AIAAjDBM/VCbSGygoABoGTIk+NxUoE21aGM4cmfNDIXSSqx8cUcRPxdyRThQkBce4OIA=';
const BZIP2_LINES = 'QlpoOTFBWSZTWZkk8pQAQEBAgIAQAAQACCAAMMwFKaYBANiAgHi7kinChITJJ5Sg';

/** Returns a few bytes that bzip2 decompresses to `times` 8 MiB of rows. */
export const bzip2Bomb = (times: number): Buffer =>
  Buffer.concat(
    [BZIP2_COPY, ...Array.from({ length: times }, () => BZIP2_LINES)].map((part) =>
      Buffer.from(part, 'base64'),
    ),
  );
