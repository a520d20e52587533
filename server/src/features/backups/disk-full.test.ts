import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';
import { openSshHost } from '../../../test/ssh-host.ts';
import { newId } from '../../platform/ids.ts';
import { addCopy, anotherInstance, callToEnd, jobEnd, makeOne } from './backups.fixture.ts';

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => spawnSync('umount', [folder]).status === 0;

/** A real disk of half a megabyte, which only root can create. */
async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-'));
  const can = mount(folder);
  if (can) unmount(folder);
  await rm(folder, { recursive: true });
  return can;
}
const hasDisk = await canMount();

let server: TestApp;
let admin: Person;

async function upload(content: string) {
  const { statusCode, ...reply } = await server.app.inject({
    method: 'POST',
    url: '/api/backups/upload',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=b' },
    payload: `--b\r\ncontent-disposition: form-data; name="backup"; filename="x.sql"\r\n\r\n${content}\r\n--b--\r\n`,
  });
  return { status: statusCode, body: reply.json() };
}

// Only root can create one.
describe.skipIf(!hasDisk)('a full disk', () => {
  let folder: string;
  let other: Awaited<ReturnType<typeof anotherInstance>>;
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'disk-full-'));
    folder = join(dataDir, 'backups');
    await mkdir(folder);
    mount(folder);
    server = await testApp({ DATA_DIR: dataDir });
    other = await anotherInstance(server);
    admin = await server.person({ role: 'admin', name: 'Ada Admin' });
  });
  afterAll(async () => {
    await other.close();
    await server.close();
    unmount(folder);
    await rm(join(folder, '..'), { recursive: true, force: true });
  });

  test('a full disk leaves the last good backup unchanged and no partial file, reports it, and recovers once space is free', async () => {
    const good = await makeOne(server, admin);
    const bytes = await readFile(join(folder, good));
    // Incompressible data, more than fits.
    const dealership = await addDealership(server, admin);
    const emailRow = (html: string) => ({
      id: newId(),
      sender_id: admin.id,
      dealership_id: dealership,
      template_name: 'Daily',
      template_version: 1,
      from_name: '',
      from_address: '',
      to_addresses: [],
      cc_addresses: [],
      subject: '',
      html,
      body_text: '',
      message_id: `<${newId()}@example.com>`,
      status: 'sent',
      search_text: '',
    });
    const noise = execFileSync('head', ['-c', '700000', '/dev/urandom']).toString('base64');
    const { id } = await server.db
      .insertInto('emails')
      .values(emailRow(noise))
      .returning('id')
      .executeTakeFirstOrThrow();

    const { body } = await server.call('POST /backups', { token: admin.token });
    expect(await jobEnd(server, admin, body.jobId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('disk is full'),
    });
    expect(await readdir(folder)).toEqual([good]);
    expect(await readFile(join(folder, good))).toEqual(bytes);
    expect(await other.store.verify(good)).toBe(true);
    const { body: list } = await server.call('GET /backups', { token: admin.token });
    expect(list.items).toMatchObject([{ name: good, pending: false }]);

    // A restore needs space for the pre-restore backup: without it nothing is replaced.
    expect(await callToEnd(server, admin, `POST /backups/${good}/restore`)).toMatchObject({
      status: 507,
      body: { code: 'NO_SPACE' },
    });
    expect(await server.db.selectFrom('emails').select('id').execute()).toEqual([{ id }]);

    await server.db.deleteFrom('emails').execute();
    const next = await makeOne(server, admin);
    expect((await readdir(folder)).toSorted()).toEqual([good, next].toSorted());
  });

  test('a full disk rejects a fetch from the SSH server without leaving a file, and fetches once space is free', async () => {
    const name = await makeOne(server, admin);
    const bytes = await readFile(join(folder, name));
    const host = await openSshHost();
    onTestFinished(() => host.close());
    const { port, username, privateKey, passphrase, folder: remotePath } = host;
    const body = { host: '127.0.0.1', port, username, privateKey, passphrase, remotePath };
    await server.call('POST /backups/ssh-settings', { token: admin.token, body });
    await writeFile(join(remotePath, `forecourt_${name}`), bytes);
    await addCopy(server.db, { name });
    await other.store.removeLocal(name);
    const known = await readdir(folder);
    const noise = join(folder, 'noise');
    const isFull = await writeFile(noise, Buffer.alloc(600_000)).catch(({ code }) => code);
    expect(isFull).toBe('ENOSPC');

    const route = `POST /backups/${name}/fetch`;
    expect(await callToEnd(server, admin, route)).toMatchObject({ status: 507, body: { code: 'NO_SPACE' } });
    expect(new Set(await readdir(folder))).toEqual(new Set([...known, 'noise']));
    const failed = server.db
      .selectFrom('audit_entries')
      .select('after')
      .where('action', '=', 'backup.fetchFailed');
    expect(await failed.executeTakeFirstOrThrow()).toMatchObject({
      after: { name, reason: expect.stringContaining('disk is full') },
    });
    await rm(noise);
    expect((await callToEnd(server, admin, route)).status).toBe(200);
    expect(await readFile(join(folder, name))).toEqual(bytes);
  });

  test('a full disk that becomes read-only is named in every refusal, and is used again once it can be written', async () => {
    const remount = (mode: string) => spawnSync('mount', ['-o', `remount,${mode}`, folder]).status;
    const name = await makeOne(server, admin);
    const known = await readdir(folder);
    expect(remount('ro')).toBe(0);
    onTestFinished(() => void remount('rw'));
    const unusable = {
      status: 507,
      body: {
        code: 'FOLDER_UNUSABLE',
        message:
          'The data folder of the server cannot be used: that disk is read-only. Nothing was changed; make DATA_DIR writable and try again.',
      },
    };
    const create = await server.call('POST /backups', { token: admin.token });
    expect(await jobEnd(server, admin, create.body.jobId)).toMatchObject({
      status: 'failed',
      message: unusable.body.message,
    });
    expect(await callToEnd(server, admin, `POST /backups/${name}/restore`)).toMatchObject(unusable);
    expect(await server.call(`DELETE /backups/${name}?confirm=true`, { token: admin.token })).toMatchObject(
      unusable,
    );
    expect(await upload('x')).toMatchObject(unusable);
    expect(await readdir(folder)).toEqual(known);
    const { body: list } = await server.call('GET /backups', { token: admin.token });
    expect(list.items.filter(({ pending }: { pending: boolean }) => pending)).toEqual([]);

    expect(remount('rw')).toBe(0);
    await makeOne(server, admin);
  });

  test('a full disk rejects an upload without leaving a file', async () => {
    const known = await readdir(folder);
    expect(await upload('x'.repeat(600_000))).toMatchObject({ status: 507, body: { code: 'NO_SPACE' } });
    expect(await readdir(folder)).toEqual(known);
  });
});
