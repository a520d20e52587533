import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import type { Person } from '../../../test/app.ts';
import { ABSENT_ID, newestAudit } from '../../../test/builders.ts';
import { addAttachment, type SentFile } from '../../../test/uploads.ts';
import { configure, countEmails, openOffice } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk, other, dealId, send } = office;
afterAll(() => office.close());

const MB = 1024 * 1024;
const FILE_REMOVED = {
  status: 400,
  body: {
    errors: { attachments: 'An attached file is not there any more. Remove it, or add it again.' },
  },
};
const add = (content: Buffer | string, file: SentFile = {}, by: Person = clerk) =>
  addAttachment(server, by, content, file);
const added = async (content: Buffer | string = 'words', file: SentFile = {}, by: Person = clerk) =>
  (await add(content, file, by)).body._id as string;
const remove = (id: string, by: Partial<Person> = clerk) =>
  server.call(`DELETE /email/attachments/${id}`, { token: by.token });
const forgetAll = () => server.db.deleteFrom('email_attachments').where('is_used', '=', false).execute();
const rows = async () =>
  (await server.db.selectFrom('email_attachments').select('id').execute()).map(({ id }) => id);

describe('adding a file', () => {
  test.each<[string, Buffer | string, SentFile, string]>([
    ['an empty one', '', {}, 'The file is empty'],
    ['a byte more than 10 MB', Buffer.alloc(10 * MB + 1), {}, 'Must be at most 10 MB'],
    ['one without a name', 'x', { filename: '' }, 'The name of the file must have 1 to 200 characters'],
    ['a folder', 'x', { filename: '..' }, 'The name of the file must have 1 to 200 characters'],
    [
      'a name of 201 characters',
      'x',
      { filename: 'x'.repeat(201) },
      'The name of the file must have 1 to 200 characters',
    ],
    [
      'a name with a line break',
      'x',
      { filename: 'a.pdf%0D%0ABcc: thief@example.com' },
      'The name of the file must not have control characters',
    ],
    ['another field', 'x', { field: 'image' }, 'A file is required'],
  ])('adding a file to an email rejects %s', async (_what, content, file, message) => {
    const before = await rows();
    expect(await add(content, file)).toMatchObject({ status: 400, body: { errors: { file: message } } });
    expect(await rows()).toEqual(before);
  });

  test('adding a file to an email rejects a body that is not a form', async () => {
    expect((await server.call('POST /email/attachments', { token: clerk.token, body: {} })).status).toBe(415);
  });

  test('adding a file to an email accepts up to 10 MB, uses only the extension of the name, and is audited', async () => {
    const file = { filename: 'C:\\Offers\\Angebot Größe.pdf', type: 'text/html' };
    const reply = await add(Buffer.alloc(10 * MB, 1), file);
    const facts = { name: 'Angebot Größe.pdf', type: 'application/pdf', size: 10 * MB };
    expect(reply).toMatchObject({ status: 201, body: { _id: expect.any(String), ...facts } });
    expect(await newestAudit(server, reply.body._id)).toMatchObject({
      action: 'email-attachment.created',
      actor_id: clerk.id,
      after: facts,
    });
    await forgetAll();
  });

  test('adding a file to an email is limited to 50 MB of unsent files for each user', async () => {
    for (let count = 1; count <= 5; count += 1) {
      expect((await add(Buffer.alloc(10 * MB, count))).status).toBe(201);
    }
    expect(await add('x')).toMatchObject({
      status: 400,
      body: { errors: { file: expect.stringMatching(/^You have added too many files/) } },
    });
    expect((await add('x', {}, other)).status).toBe(201);
    await forgetAll();
    expect((await add('x')).status).toBe(201);
  });

  test('adding a file to an email is limited to 200 unsent files for each user', async () => {
    await forgetAll();
    await server.db
      .insertInto('email_attachments')
      .values(
        Array.from({ length: 200 }, (_, index) => ({
          id: `01930000-0000-7000-8000-${String(index).padStart(12, '0')}`,
          name: 'a',
          type: 'text/plain',
          content: Buffer.from('x'),
          created_by: clerk.id,
        })),
      )
      .execute();
    expect((await add('x')).status).toBe(400);
    await forgetAll();
  });

  test('adding a file to an email is limited to five concurrent uploads for each user, at any speed', async () => {
    const open = Array.from({ length: 5 }, () => {
      const payload = new PassThrough();
      payload.write(
        '--b\r\ncontent-disposition: form-data; name="file"; filename="slow.txt"\r\n\r\nfirst words',
      );
      const reply = server.app.inject({
        method: 'POST',
        url: '/api/email/attachments',
        headers: {
          authorization: `Bearer ${clerk.token}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
        payload,
      });
      return { reply, finish: () => payload.end(' and the rest\r\n--b--\r\n') };
    });
    await expect.poll(async () => (await add('x')).status).toBe(429);
    expect((await add('x', {}, other)).status).toBe(201);
    for (const { finish } of open) finish();
    for (const { reply } of open) {
      expect((await reply).json()).toMatchObject({
        name: 'slow.txt',
        size: 'first words and the rest'.length,
      });
    }
    expect((await add('x')).status).toBe(201);
  });
});

describe('removing a file', () => {
  test('removing a file from an email is done once, and audited', async () => {
    const id = await added('words', { filename: 'Offer.pdf' });
    expect((await remove(id)).status).toBe(204);
    expect(await newestAudit(server, id)).toMatchObject({
      action: 'email-attachment.deleted',
      before: { name: 'Offer.pdf', size: 5 },
    });
    expect((await remove(id)).status).toBe(404);
    expect(await send({ dealId, attachments: [id] })).toMatchObject(FILE_REMOVED);
  });

  test('removing a file from an email is rejected once an email has it', async () => {
    const id = await added();
    await send({ dealId, attachments: [id] });
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'IN_USE' } });
  });
});

describe('an email with files', () => {
  test.each<[string, () => unknown, object]>([
    ['another person’s file', async () => [await added('secret', {}, other)], FILE_REMOVED.body.errors],
    ['one that is not there', () => [ABSENT_ID], FILE_REMOVED.body.errors],
    [
      'one of them twice',
      async () => {
        const id = await added();
        return [id, id];
      },
      { attachments: 'Must not name a file twice' },
    ],
    ['21 of them', () => Array.from({ length: 21 }, () => ABSENT_ID), { attachments: 'At most 20 files' }],
    ['no list', () => 'all', { attachments: expect.any(String) }],
    ['a path', () => ['/etc/passwd'], { 'attachments.0': expect.any(String) }],
    [
      'more than 10 MB together',
      async () => [await added(Buffer.alloc(6 * MB)), await added(Buffer.alloc(4 * MB + 1))],
      { attachments: 'The attached files may have at most 10 MB together' },
    ],
  ])('an email with files is rejected with %s, and nothing is stored', async (_what, files, errors) => {
    const attachments = await files();
    const before = [await countEmails(server), await rows()];
    expect(await send({ dealId, attachments })).toMatchObject({ status: 400, body: { errors } });
    expect([await countEmails(server), await rows()]).toEqual(before);
    const used = server.db
      .selectFrom('email_attachment_uses')
      .innerJoin('email_attachments as file', (join) =>
        join.onRef('file.id', '=', 'email_attachment_uses.attachment_id'),
      );
    expect(await used.where('file.is_used', '=', false).selectAll().execute()).toEqual([]);
    await forgetAll();
  });

  test('an email with files may have 10 MB in total, shows them in the history and the audit, and preserves them when cancelled', async () => {
    const files = [
      await added(Buffer.alloc(6 * MB, 'a'), { filename: 'Photos.zip' }),
      await added(Buffer.alloc(4 * MB, 'b'), { filename: 'Offer.pdf' }),
    ];
    const attachments = files.toReversed();
    const { status, body } = await send({ dealId, attachments });
    expect([status, body]).toMatchObject([202, { status: 'queued', attachmentCount: 2 }]);
    expect(await newestAudit(server, body._id)).toMatchObject({
      action: 'email.created',
      after: { attachments: ['Offer.pdf', 'Photos.zip'] },
    });
    await server.call(`POST /email/logs/${body._id}/cancel`, { token: clerk.token });
    const { body: kept } = await server.call(`GET /email/logs/${body._id}`, { token: clerk.token });
    expect(kept).toMatchObject({
      status: 'cancelled',
      attachments: [
        { _id: attachments[0], name: 'Offer.pdf', type: 'application/pdf', size: 4 * MB },
        { _id: attachments[1], name: 'Photos.zip', type: 'application/zip', size: 6 * MB },
      ],
    });
    const { body: without } = await send({ dealId });
    expect(without.attachmentCount).toBe(0);
  });

  test('an email with files includes its files in the idempotency key: another file is another request', async () => {
    const [one, two] = [await added(), await added()];
    const sendFile = (id: string) =>
      send({ dealId, attachments: [id] }, { headers: { 'idempotency-key': 'with-file' } });
    const first = await sendFile(one);
    expect(first.status).toBe(202);
    expect((await sendFile(one)).body._id).toBe(first.body._id);
    expect((await sendFile(two)).body.code).toBe('KEY_REUSED');
  });

  test('a file without an email is deleted after a day, at the next upload', async () => {
    await forgetAll();
    const [unused, used, fresh] = [await added(), await added(), await added()];
    await send({ dealId, attachments: [used] });
    await server.db
      .updateTable('email_attachments')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('id', 'in', [unused, used])
      .execute();
    await added('x', {}, other);
    const left = await rows();
    expect([unused, used, fresh].map((id) => left.includes(id))).toEqual([false, true, true]);
  });
});

describe('downloading a file of an email', () => {
  const content = Buffer.from('<script>alert(1)</script>');
  const filename = "It's (a) *Größe* 100%.html";
  const sent = async (by: Person = clerk) => {
    const id = await added(content, { filename, type: 'text/html' }, by);
    const { body } = await send({ dealId, attachments: [id] }, { token: by.token });
    return { emailId: body._id as string, id };
  };
  const download = (emailId: string, id: string, by: Partial<Person> = clerk) =>
    server.call(`GET /email/logs/${emailId}/attachments/${id}`, { token: by.token });

  test('downloading a file of an email requires a session, permission to read the email, and a file of that email', async () => {
    const { emailId, id } = await sent();
    const another = await sent();
    const unsent = await added();
    expect((await download(emailId, id, {})).status).toBe(401);
    expect((await download(emailId, id, other)).status).toBe(404);
    for (const absent of [another.id, unsent, ABSENT_ID]) {
      expect((await download(emailId, absent)).status).toBe(404);
    }
    const blind = await server.person({ permissions: { dataEntry: { canViewEmailPreview: false } } });
    await configure(server, admin, blind, mail.port);
    const own = await sent(blind);
    expect((await download(own.emailId, own.id, blind)).status).toBe(403);
  });

  test('downloading a file of an email returns its bytes as a file, and no content is executed', async () => {
    const { emailId, id } = await sent();
    for (const person of [clerk, admin]) {
      const { status, headers, body } = await download(emailId, id, person);
      expect({ status, headers, body }).toMatchObject({
        status: 200,
        body: content.toString(),
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(content.length),
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'no-store',
          'content-disposition':
            'attachment; filename="It_s _a_ _Gr__e_ 100_.html"; ' +
            "filename*=UTF-8''It%27s%20%28a%29%20%2AGr%C3%B6%C3%9Fe%2A%20100%25.html",
        },
      });
    }
  });
});
