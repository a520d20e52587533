import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';
import { newId } from '../../platform/ids.ts';
import { anotherInstance, callToEnd, jobEnd, makeOne } from './backups.fixture.ts';

const mount = (folder: string) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]).status === 0;
const unmount = (folder: string) => spawnSync('umount', [folder]).status === 0;

/** A real disk of half a megabyte, which only root can make. */
async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'disk-'));
  const can = mount(folder);
  if (can) unmount(folder);
  await rm(folder, { recursive: true });
  return can;
}
const hasDisk = await canMount();

// Nobody but root can make one.
describe.skipIf(!hasDisk)('a full disk', () => {
  let server: TestApp;
  let admin: Person;
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

  test('leaves the last good backup untouched and nothing half done, says so, and is over once there is room', async () => {
    const good = await makeOne(server, admin);
    const bytes = await readFile(join(folder, good));
    // What cannot be compressed, and more than there is room for.
    const dealership = await addDealership(server, admin);
    const letter = (html: string) => ({
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
      .values(letter(noise))
      .returning('id')
      .executeTakeFirstOrThrow();

    const { body } = await server.call('POST /backups', { token: admin.token });
    expect(await jobEnd(server, admin, body.jobId)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('disk is full'),
    });
    expect(await readdir(folder)).toEqual([good]);
    expect(await readFile(join(folder, good))).toEqual(bytes);
    expect(await other.engine.verify(good)).toBe(true);
    const { body: list } = await server.call('GET /backups', { token: admin.token });
    expect(list.items).toMatchObject([{ name: good, pending: false }]);

    // A restore needs room for the pre-restore backup: without it nothing is replaced.
    expect(await callToEnd(server, admin, `POST /backups/${good}/restore`)).toMatchObject({
      status: 507,
      body: { code: 'NO_SPACE' },
    });
    expect(await server.db.selectFrom('emails').select('id').execute()).toEqual([{ id }]);

    await server.db.deleteFrom('emails').execute();
    const next = await makeOne(server, admin);
    expect((await readdir(folder)).toSorted()).toEqual([good, next].toSorted());
  });

  test('refuses an upload and keeps nothing of it', async () => {
    const known = await readdir(folder);
    const payload = Buffer.concat([
      Buffer.from('--b\r\ncontent-disposition: form-data; name="backup"; filename="x.sql"\r\n\r\n'),
      Buffer.alloc(600_000, 'x'),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/backups/upload',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=b' },
      payload,
    });
    expect([reply.statusCode, reply.json().code]).toEqual([507, 'NO_SPACE']);
    expect(await readdir(folder)).toEqual(known);
  });
});
