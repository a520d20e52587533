import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { TEST_KEY, testApp, type TestApp } from '../../../test/app.ts';
import { blockWrites, countWaiting } from '../../../test/block-inserts.ts';
import { addDeal, addDealership } from '../../../test/builders.ts';
import { silentEventBus } from '../../../test/silent-event-bus.ts';
import { uploadFile } from '../../../test/uploads.ts';
import { SYSTEM } from '../../platform/audit.ts';
import { IDLE } from '../../platform/define-job.ts';
import { createFileStore } from '../../platform/files/file-store.ts';
import { createContentMove } from '../../platform/files/move-content.ts';
import { newId } from '../../platform/ids.ts';
import { createProgress } from '../../platform/jobs/progress.ts';
import { createLog } from '../../platform/log.ts';
import { anotherInstance, callToEnd, digestOf, makeOne, writeElsewhere } from './backups.fixture.ts';
import { createCleanUp } from './clean-up.ts';
import type { Parts } from './create-backup.ts';
import { createFolder } from './folder.ts';
import { ScriptError, StallError } from './script-reader.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const other = await anotherInstance(server);
const progress = createProgress({ db: server.db, eventBus: silentEventBus, log: createLog('silent') });
const files = createFileStore(server.dataDir);
const move = createContentMove({ connection: server.connection, db: server.db, files, progress });
afterAll(async () => {
  await progress.stop();
  await other.close();
  await server.close();
});

let dealId: string;
beforeEach(async () => {
  // A restore compares the schema, also triggers of a test.
  await sql`drop function if exists hold_files cascade`.execute(server.db);
  await sql`truncate deals, backups, files cascade`.execute(server.db);
  await rm(join(server.dataDir, 'files'), { recursive: true, force: true });
  await rm(join(server.dataDir, 'backups'), { recursive: true, force: true });
  dealId = (await addDeal(server, admin, await addDealership(server, admin)))._id;
});

const attach = async (content: string): Promise<string> => {
  const { status, body } = await uploadFile(server, admin, `/deals/${dealId}/attachments`, content);
  expect(status).toBe(201);
  return body._id;
};
/** Returns the content of a file, or the message of the refusal. */
const contentOf = async (id: string, { app } = server): Promise<string> => {
  const headers = { authorization: `Bearer ${admin.token}` };
  const reply = await app.inject({ url: `/api/deals/${dealId}/attachments/${id}`, headers });
  return reply.statusCode === 200 ? reply.body : reply.json().message;
};
const remove = (id: string) =>
  server.call(`DELETE /deals/${dealId}/attachments/${id}`, { token: admin.token });
const restore = (name: string, body: object = {}) =>
  callToEnd(server, admin, `POST /backups/${name}/restore`, body);

const pathOf = (content: string, root = join(server.dataDir, 'files')): string => {
  const hex = createHash('sha256').update(content).digest('hex');
  return join(root, hex.slice(0, 2), hex.slice(2));
};
const backupFiles = join(server.dataDir, 'backups/files');
const backupPath = (name: string): string => join(server.dataDir, 'backups', name);
/** Returns the number of files with content below a folder. */
const countFiles = async (root = join(server.dataDir, 'files')): Promise<number> =>
  (await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isFile(),
  ).length;
const age = () => sql`update files set created_at = now() - interval '2 days'`.execute(server.db);
const download = async (name: string): Promise<Buffer> => {
  const headers = { authorization: `Bearer ${admin.token}` };
  return (await server.app.inject({ url: `/api/backups/${name}`, headers })).rawPayload;
};
const MISSING = expect.stringMatching(/^The content of this file is missing/);

describe('a file of a row', () => {
  test('a file of a row is stored once, also when several rows get the same bytes at once', async () => {
    const ids = await Promise.all([attach('same'), attach('same'), attach('same'), attach('else')]);
    expect(await countFiles()).toBe(2);
    expect(await Promise.all(ids.map((id) => contentOf(id)))).toEqual(['same', 'same', 'same', 'else']);
    expect(await readFile(pathOf('same'), 'utf8')).toBe('same');
  });

  test('a file of a row is replaced by an upload when its stored content was cut off', async () => {
    const id = await attach('whole');
    await truncate(pathOf('whole'), 2);
    expect(await contentOf(id)).toEqual(MISSING);
    await attach('whole');
    expect(await contentOf(id)).toBe('whole');
  });

  test('a file of a row goes a day after its last use, with its content, and not earlier', async () => {
    const [used, unused] = [await attach('used'), await attach('unused')];
    await remove(unused);
    await other.cleanUpFiles(0);
    expect(await countFiles()).toBe(2);
    await age();
    await other.cleanUpFiles();
    expect(await countFiles()).toBe(2);
    await other.cleanUpFiles(0);
    expect(await countFiles()).toBe(1);
    expect(await contentOf(used)).toBe('used');
  });

  test('a file of a row that is attached again while the clean-up removes it keeps its content', async () => {
    const trigger = sql`insert on deal_attachments for each row`;
    await remove(await attach('again'));
    await age();
    // The upload has stored the content and its row, and has not committed.
    const uploading = await blockWrites(server.db, 'hold_files', trigger, async (untilBlocked) => {
      const upload = attach('again');
      await untilBlocked();
      await other.cleanUpFiles(0);
      return { upload };
    });
    expect(await contentOf(await uploading.upload)).toBe('again');
    // The clean-up has deleted the row, and not yet the content.
    await remove(await attach('late'));
    await sql`delete from deal_attachments`.execute(server.db);
    await sql`delete from files`.execute(server.db);
    const late = await blockWrites(server.db, 'hold_files', trigger, async (untilBlocked) => {
      const upload = attach('late');
      await untilBlocked();
      // Waits for the upload, and then finds its row.
      const cleaning = other.cleanUpFiles(0);
      const untilWaiting = async (): Promise<void> => {
        await expect.poll(() => countWaiting(server.db)).toBe(2);
      };
      await Promise.race([cleaning, untilWaiting()]);
      return { upload, cleaning };
    });
    expect(await contentOf(await late.upload)).toBe('late');
    await late.cleaning;
    expect(await contentOf(await late.upload)).toBe('late');
  });

  test('content without a row is removed, and attached anew afterwards', async () => {
    await attach('lost');
    await sql`truncate deal_attachments, files cascade`.execute(server.db);
    await other.cleanUpFiles(0);
    expect(await countFiles()).toBe(0);
    expect(await contentOf(await attach('lost'))).toBe('lost');
  });
});

describe('a backup', () => {
  test('a backup names its files, whose content is stored once for all backups and removed with the last of them', async () => {
    const ids = [await attach('x'.repeat(100_000)), await attach('y'.repeat(100_000))];
    const first = await makeOne(server, admin);
    const second = await makeOne(server, admin);
    expect(await countFiles(backupFiles)).toBe(2);
    const inode = async (path: string): Promise<number> => (await stat(path)).ino;
    expect(await inode(pathOf('x'.repeat(100_000), backupFiles))).toBe(
      await inode(pathOf('x'.repeat(100_000))),
    );
    const text = gunzipSync(await readFile(backupPath(first))).toString();
    expect(text).not.toContain('xxxxxxxx');
    for (const id of ids) await remove(id);
    await age();
    await server.call(`DELETE /backups/${first}?confirm=true`, { token: admin.token });
    await other.cleanUpFiles(0);
    expect([await countFiles(), await countFiles(backupFiles)]).toEqual([0, 2]);
    await server.call(`DELETE /backups/${second}?confirm=true`, { token: admin.token });
    await other.cleanUpFiles(0);
    expect(await countFiles(backupFiles)).toBe(0);
  });

  test('the clean-up keeps the files of a backup whose list it could not read in time, and removes those of a damaged one', async () => {
    await attach('named');
    const name = await makeOne(server, admin);
    await sql`truncate files cascade`.execute(server.db);
    const cleanUpAfter = async (error: Error): Promise<void> => {
      const parts = {
        db: server.db,
        folder: createFolder(server.dataDir),
        files,
        connection: server.connection,
        config: { TIME_ZONE: 'Australia/Sydney' },
      };
      const listFiles = async (): Promise<never> => {
        throw error;
      };
      await createCleanUp(parts as Parts, { store: other.store, listFiles }).cleanUpFiles(0);
    };
    await expect(cleanUpAfter(new StallError(name))).rejects.toThrow(name);
    expect(await countFiles(backupFiles)).toBe(1);
    await cleanUpAfter(new ScriptError(name));
    expect(await countFiles(backupFiles)).toBe(0);
  });

  test('a backup contains no export and none of its files', async () => {
    const { body } = await server.call('POST /exports', {
      token: admin.token,
      body: { kind: 'users', format: 'csv' },
    });
    const state = async () =>
      (await server.call(`GET /exports/${body._id}`, { token: admin.token })).body.state;
    await expect.poll(state).toBe('ready');
    expect(await countFiles()).toBe(1);
    const name = await makeOne(server, admin);
    expect(await countFiles(backupFiles)).toBe(0);
    expect(gunzipSync(await readFile(backupPath(name))).toString()).toMatch(
      /"exports":0,.*"files":0|"files":0,.*"exports":0,/,
    );
    expect((await restore(name)).status).toBe(200);
    expect((await server.call(`GET /exports/${body._id}`, { token: admin.token })).status).toBe(404);
  });

  test('a backup restores its files, also if the data folder has lost all of them', async () => {
    const [kept, deleted] = [await attach('kept'), await attach('deleted')];
    const name = await makeOne(server, admin);
    await remove(deleted);
    await rm(join(server.dataDir, 'files'), { recursive: true });
    expect(await contentOf(kept)).toEqual(MISSING);
    expect((await restore(name)).status).toBe(200);
    expect([await contentOf(kept), await contentOf(deleted)]).toEqual(['kept', 'deleted']);
  });

  test('a backup with missing files counts them before anything is replaced, and is restored without them if that is accepted', async () => {
    const [kept, lost] = [await attach('kept'), await attach('lost')];
    const name = await makeOne(server, admin);
    await rm(pathOf('lost'));
    await rm(pathOf('lost', backupFiles));
    const check = await callToEnd(server, admin, `POST /backups/${name}/check`);
    expect(check.body).toMatchObject({ missingFiles: 1 });
    const problemOfNewest = async () =>
      (await server.call('GET /backups', { token: admin.token })).body.items[0].problem;
    // With it, a copy can be fetched.
    expect(await problemOfNewest()).toBe('1 of its files is missing on this server.');
    const before = await digestOf(server.db);
    expect((await restore(name)).body).toMatchObject({
      code: 'BACKUP_INCOMPLETE',
      details: expect.stringMatching(/^1 of its 2 files are missing\. Nothing was changed\./),
    });
    expect(await digestOf(server.db)).toEqual(before);
    expect((await restore(name, { withoutFiles: true })).status).toBe(200);
    expect(await contentOf(kept)).toBe('kept');
    expect(await contentOf(lost)).toEqual(MISSING);
    // The next backup is created, and says what is missing.
    await makeOne(server, admin);
    const { items } = (await server.call('GET /backups', { token: admin.token })).body;
    expect(items[0]).toMatchObject({
      verifiedAt: expect.any(String),
      problem: '1 of its files is missing on this server.',
    });
  });

  test('a backup is not proven by the restore test when a file is missing or damaged', async () => {
    await attach('proof');
    const name = await makeOne(server, admin);
    const backup = async () => (await other.store.list()).find((row) => row.name === name)!;
    await other.store.testNewest();
    expect(await backup()).toMatchObject({ proven_at: expect.any(String), problem: null });
    await truncate(pathOf('proof', backupFiles), 1);
    await other.store.testNewest();
    expect(await backup()).toMatchObject({
      proven_at: null,
      problem: expect.stringMatching(/A file that it names is missing/),
    });
  });

  test('a backup that an earlier release made brings the content in its rows, which is moved afterwards', async () => {
    const content = Buffer.from('from the database');
    const [id, name] = [newId(), 'old.sql.gz'];
    await makeOne(server, admin);
    await writeElsewhere(backupPath(name), {
      until: 65,
      key: TEST_KEY,
      async fill(db, userId) {
        await sql`update deals set id = ${dealId}`.execute(db);
        await sql`insert into deal_attachments (id, deal_id, name, type, size, created_by)
          values (${id}, ${dealId}, 'old.txt', 'text/plain', ${content.length}, ${userId})`.execute(db);
        for (const [position, part] of [content.subarray(0, 5), content.subarray(5)].entries())
          await sql`insert into deal_attachment_chunks (attachment_id, position, content)
            values (${id}, ${position}, ${part})`.execute(db);
        await sql`insert into template_images (id, type, width, height, content, created_by)
          values (${newId()}, 'image/png', 1, 1, ${content}, ${userId})`.execute(db);
        await sql`insert into email_attachments (id, name, type, content, created_by)
          values (${newId()}, 'a.txt', 'text/plain', 'other', ${userId})`.execute(db);
      },
    });
    await other.cleanUp();
    // An administrator has cancelled the move, so that it starts only when it is asked for.
    await sql`insert into jobs (id, kind, status) values (${newId()}, 'move-files', 'cancelled')`.execute(
      server.db,
    );
    expect((await restore(name)).status).toBe(200);
    expect(await contentOf(id)).toBe('from the database');
    expect(await countFiles()).toBe(0);
    const early = await makeOne(server, admin);

    expect(await move.runDue(new AbortController().signal)).toBe(IDLE);
    const [during] = await Promise.all([makeOne(server, admin), move.run(new AbortController().signal)]);
    const unmoved = async () =>
      (
        await sql<{ count: number }>`
          select (select count(*) from deal_attachment_chunks) + (select count(*) from email_attachments
            where content is not null) + (select count(*) from template_images where digest is null) as count`.execute(
          server.db,
        )
      ).rows[0]!.count;
    expect(await unmoved()).toBe(0);
    expect(await contentOf(id)).toBe('from the database');
    expect(await countFiles()).toBe(2);
    const jobs = async () =>
      (await server.call('GET /jobs', { token: admin.token })).body.jobs.filter(
        ({ kind }: { kind: string }) => kind === 'move-files',
      );
    expect(await jobs()).toMatchObject([
      { status: 'succeeded', percent: 100, total: 3, startedByName: null },
      {},
    ]);
    for (const backup of [early, during]) {
      expect((await restore(backup)).status).toBe(200);
      expect(await contentOf(id)).toBe('from the database');
    }
  });
});

describe('the size of backups', () => {
  // FILES=4000 FILE_BYTES=3145728 ROWS=100000: the 12 GB of docs/decisions/0022.
  const long = [Number(process.env.FILES ?? 2000), Number(process.env.FILE_BYTES ?? 128 * 1024), 12] as const;
  const [count, bytes, hours] = process.env.LONG_TESTS ? long : ([40, 20_000, 3] as const);

  /** Attaches files of random content, without the upload of a browser. */
  const attachRandom = async (number: number): Promise<void> => {
    for (let index = 0; index < number; index += 1) {
      await server.db.transaction().execute(async (tx) => {
        const ref = await files.add(tx, randomBytes(bytes));
        await tx
          .insertInto('deal_attachments')
          .values({
            id: newId(),
            deal_id: dealId,
            name: 'a',
            type: 'image/jpeg',
            created_by: admin.id,
            ...ref,
          })
          .execute();
      });
    }
  };
  /** Adds rows as an import does, beside that of the files. */
  const addRows = async (number: number): Promise<void> => {
    const { dealership_id: dealershipId } = await server.db
      .selectFrom('deals')
      .select('dealership_id')
      .executeTakeFirstOrThrow();
    for (let left = number; left > 0; left -= 10_000) {
      const row = { dealershipId, customerName: 'Ann Example', vehicle: 'Hatchback', saleAmount: 1200 };
      const rows = Array.from({ length: Math.min(left, 10_000) }, () => row);
      const { status, body } = await callToEnd(server, admin, 'POST /deals/import', { rows });
      expect(status, JSON.stringify(body).slice(0, 300)).toBeLessThan(300);
    }
  };
  /** Returns the bytes below a folder, each inode once: hard links take no space. */
  const sizeOf = async (...roots: string[]): Promise<number> => {
    const inodes = new Map<number, number>();
    for (const root of roots) {
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const { ino, size } = await stat(join(entry.parentPath, entry.name));
        inodes.set(ino, size);
      }
    }
    return [...inodes.values()].reduce((sum, size) => sum + size, 0);
  };

  test(
    `the size of ${hours} backups is that of their files once, and of their rows`,
    { timeout: 900_000 },
    async () => {
      const folders = [join(server.dataDir, 'files'), join(server.dataDir, 'backups')];
      await addRows(Number(process.env.ROWS ?? 0));
      await attachRandom(count);
      await makeOne(server, admin);
      const peakBefore = process.memoryUsage().rss;
      let peak = peakBefore;
      let rows = 0;
      for (let hour = 0; hour < hours; hour += 1) {
        const changed = Math.ceil(count / 100);
        await attachRandom(changed);
        const before = await sizeOf(...folders);
        const name = await makeOne(server, admin);
        const { size } = await stat(backupPath(name));
        rows += size;
        peak = Math.max(peak, process.memoryUsage().rss);
        expect((await sizeOf(...folders)) - before).toBeLessThanOrEqual(1.2 * changed * bytes + size);
      }
      const content = await sizeOf(folders[0]!);
      expect(await sizeOf(...folders)).toBeLessThan(1.3 * (content + rows));
      const mb = (number: number): string => (number / 1e6).toFixed(1);
      process.stdout.write(
        `${hours} backups: files ${mb(content)} MB, rows ${mb(rows)} MB, together ${mb(await sizeOf(...folders))} MB, memory +${mb(peak - peakBefore)} MB\n`,
      );
      if (!process.env.LONG_TESTS) return;
      expect(peak - peakBefore).toBeLessThan(100e6);
      // All files, to another folder, against a restore into a data folder that has lost them.
      const start = performance.now();
      await cp(folders[0]!, join(server.dataDir, 'copy'), { recursive: true });
      const copied = performance.now() - start;
      await rm(join(server.dataDir, 'copy'), { recursive: true });
      await rm(folders[0]!, { recursive: true });
      const { items } = (await server.call('GET /backups', { token: admin.token })).body;
      const begun = performance.now();
      expect((await restore(items[0].name)).status).toBe(200);
      const restored = performance.now() - begun;
      const seconds = (ms: number): string => (ms / 1000).toFixed(1);
      process.stdout.write(`copy of the files ${seconds(copied)} s, restore ${seconds(restored)} s\n`);
      expect(await sizeOf(folders[0]!)).toBe(content);
      // With few files the rows take longer than they.
      if (content > 5e9) expect(restored).toBeLessThan(1.5 * copied);
    },
  );
});

describe('a downloaded backup', () => {
  /** Returns the inodes of the files that this process has open. */
  const listOpenInodes = async (): Promise<number[]> =>
    (await readdir('/dev/fd')).flatMap((fd) => {
      try {
        return fstatSync(Number(fd)).ino;
      } catch {
        return [];
      }
    });

  test('a downloaded backup is closed when the client has gone before the first byte, and when the download cannot be audited', async () => {
    await attach('with a file');
    const name = await makeOne(server, admin);
    const { ino } = await stat(backupPath(name));
    const isOpen = async (): Promise<boolean> => (await listOpenInodes()).includes(ino);
    const stream = await (await other.download(SYSTEM, name)).open();
    expect(await isOpen()).toBe(true);
    stream.destroy();
    await expect.poll(isOpen).toBe(false);
    const failed = await other.download({ ...SYSTEM, origin: { ...SYSTEM.origin, requestId: '\0' } }, name);
    await expect(failed.open()).rejects.toThrow('invalid byte sequence');
    expect(await isOpen()).toBe(false);
  });

  /** Starts an installation of its own, restores a backup, and returns the content of its file. */
  async function restoreElsewhere(filename: string, bytes: Buffer, id: string): Promise<string> {
    const elsewhere: TestApp = await testApp();
    try {
      const theirs = await elsewhere.person({
        id: admin.id,
        role: 'admin',
        email: 'ada@example.com',
      } as never);
      const upload = await uploadFile(elsewhere, theirs, '/backups/upload', bytes, {
        filename,
        field: 'backup',
      });
      expect(upload.status).toBe(201);
      const check = await callToEnd(elsewhere, theirs, `POST /backups/${upload.body.filename}/check`);
      expect(check.body).toMatchObject({ missingFiles: 0 });
      const { status } = await callToEnd(elsewhere, theirs, `POST /backups/${upload.body.filename}/restore`);
      expect(status).toBe(200);
      const headers = { authorization: `Bearer ${theirs.token}` };
      const reply = await elsewhere.app.inject({ url: `/api/deals/${dealId}/attachments/${id}`, headers });
      return reply.body;
    } finally {
      await elsewhere.close();
    }
  }

  test.each([
    ['as it was downloaded', 'copy.sql.gz', (bytes: Buffer) => bytes],
    ['unpacked', 'copy.sql', (bytes: Buffer) => gunzipSync(bytes)],
  ])('a downloaded backup brings its files to another machine, %s', async (_how, filename, pack) => {
    const content = 'z'.repeat(500_000);
    const id = await attach(content);
    await attach('second');
    const bytes = await download(await makeOne(server, admin));
    expect(await restoreElsewhere(filename, pack(bytes), id)).toBe(content);
  });

  test('a downloaded backup is loaded by psql, which ignores the content of files', async () => {
    await attach('for psql'.repeat(50_000));
    const name = await makeOne(server, admin);
    const bytes = await download(name);
    const stored = await readFile(backupPath(name));
    expect(bytes.subarray(0, stored.length).equals(stored)).toBe(true);
    const rest = gunzipSync(bytes.subarray(stored.length)).toString().trimEnd().split('\n');
    expect(rest.length).toBe(3);
    for (const line of rest) expect(line).toMatch(/^-- file [0-9a-f]{64} [A-Za-z0-9+/=]+$/);
    const read = execFileSync('sh', ['-c', 'cut -d" " -f4 | base64 -d'], { input: rest.join('\n') });
    expect(read.toString()).toBe('for psql'.repeat(50_000));
  });

  test('a downloaded dump of pg_dump is the stored file, without the files that it names', async () => {
    await attach('not of the dump');
    const text = gunzipSync(await readFile(backupPath(await makeOne(server, admin)))).toString();
    const rows = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('-- forecourt end '));
    const dump = gzipSync(`${rows}-- PostgreSQL database dump complete\n`);
    await writeFile(backupPath('dump.sql.gz'), dump);
    await other.cleanUp();
    expect((await download('dump.sql.gz')).equals(dump)).toBe(true);
  });

  test('a downloaded backup whose files were changed is rejected, and stores nothing', async () => {
    await attach('original');
    const text = gunzipSync(await download(await makeOne(server, admin))).toString();
    const forged = text.replace(
      Buffer.from('original').toString('base64'),
      Buffer.from('modified').toString('base64'),
    );
    const lastLine = /^-- forecourt end .*\n/m.exec(text)![0];
    for (const bytes of [forged, `${text}drop table users;\n`, text + lastLine]) {
      const reply = await uploadFile(server, admin, '/backups/upload', bytes, {
        filename: 'forged.sql',
        field: 'backup',
      });
      expect(reply.body).toMatchObject({ code: 'BACKUP_UNREADABLE' });
    }
    await writeFile(backupPath('placed.sql'), text.replace(/-- file .*\n/, ''));
    await other.cleanUp();
    await rm(join(server.dataDir, 'files'), { recursive: true });
    await rm(backupFiles, { recursive: true });
    expect((await restore('placed.sql')).body).toMatchObject({ code: 'BACKUP_INCOMPLETE' });
  });
});
