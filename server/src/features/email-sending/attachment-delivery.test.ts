import { createHash } from 'node:crypto';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDeal } from '../../../test/builders.ts';
import { addImage, DOT } from '../../../test/images.ts';
import { seededRandom } from '../../../test/seeded-random.ts';
import { messageIds, readMail } from '../../../test/smtp.ts';
import { addAttachment } from '../../../test/uploads.ts';
import { openOffice } from './office.fixture.ts';

const office = await openOffice({ UNDO_SEND_SECONDS: 0 });
const { server, mail, admin, clerk, dealId, dealershipId, templateId, send } = office;
afterAll(() => office.close());

const add = async (filename: string, content: Buffer | string, by = clerk): Promise<string> => {
  const { status, body } = await addAttachment(server, by, content, { filename });
  expect(status, filename).toBe(201);
  return body._id;
};
const filesOf = ({ attachments }: Email) =>
  attachments.map(({ filename, mimeType, disposition, content }) => ({
    filename,
    mimeType,
    disposition,
    content: Buffer.from(content as ArrayBuffer),
  }));
const newest = async () => readMail(mail.accepted.at(-1)!);

/** Every byte value, and line endings that mail transport is known to alter. */
const BYTES = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  Buffer.from('\r\n.\r\n\n\r--\nFrom here\n'),
]);

describe('a mail with files', () => {
  test('a mail with files delivers each byte for byte, in the order of the request, without mentioning them in its text', async () => {
    const attachments = [
      await add('Offer.pdf', BYTES),
      await add('Rows.csv', 'a;b\r\nä;€\r\n'),
      await add('page.html', '<script>alert(1)</script>'),
    ];
    const { body } = await send({ dealId, attachments });
    expect(body).toMatchObject({ status: 'sent', attachmentCount: 3 });
    const received = await newest();
    expect(filesOf(received)).toEqual([
      { filename: 'Offer.pdf', mimeType: 'application/pdf', disposition: 'attachment', content: BYTES },
      {
        filename: 'Rows.csv',
        mimeType: 'text/csv',
        disposition: 'attachment',
        content: Buffer.from('a;b\r\nä;€\r\n'),
      },
      {
        filename: 'page.html',
        mimeType: 'application/octet-stream',
        disposition: 'attachment',
        content: Buffer.from('<script>alert(1)</script>'),
      },
    ]);
    expect(received.html).not.toMatch(/Offer|cid:/);
    expect(mail.accepted.at(-1)!.raw).toMatch(/^content-type: multipart\/mixed/im);
  });

  test('a mail with files contains inline images as well, each in its place', async () => {
    const { body: image } = await addImage(server, admin, DOT);
    const document = { blocks: [{ type: 'image', imageId: image._id, alt: 'Logo', width: 100 }] };
    const template = { name: 'Pictured', subject: 'Look', status: 'active', document, variables: [] };
    const { body } = await server.call('POST /email-templates', { token: admin.token, body: template });
    const attachments = [await add('Dot.png', DOT, admin)];
    await send({ dealId, to: [admin.email], attachments }, { token: admin.token, id: body._id });
    expect(filesOf(await newest())).toMatchObject([
      { filename: 'image-1.png', disposition: 'inline' },
      { filename: 'Dot.png', disposition: 'attachment', content: DOT },
    ]);
  });

  test('a mail with files can be sent as a test first, and then with the same file to the dealership', async () => {
    const attachments = [await add('Offer.pdf', BYTES)];
    for (const to of [[clerk.email], undefined]) {
      expect((await send({ dealId, to, attachments })).body.status).toBe('sent');
      expect(filesOf(await newest())).toMatchObject([{ filename: 'Offer.pdf', content: BYTES }]);
    }
  });

  test('a mail with files is retried with the same files under the same Message-ID', async () => {
    const attachments = [await add('Offer.pdf', BYTES), await add('Second.txt', 'two')];
    mail.next({ code: 550, text: 'never' });
    expect((await send({ dealId, attachments })).status).toBe(400);
    const { body } = await server.call('GET /email/logs?limit=1', { token: clerk.token });
    const [failed] = body.items;
    const accepted = mail.accepted.length;
    const retry = await server.call(`POST /email/logs/${failed._id}/retry`, { token: clerk.token });
    expect(retry.body).toMatchObject({ status: 'queued', attachmentCount: 2 });
    await expect.poll(() => mail.accepted.length).toBe(accepted + 1);
    expect(filesOf(await newest())).toMatchObject([
      { filename: 'Offer.pdf', content: BYTES },
      { filename: 'Second.txt', content: Buffer.from('two') },
    ]);
    expect(new Set(messageIds(mail.arrived.slice(-2)))).toEqual(new Set([failed.messageId]));
  });

  test('a mail with a file whose content is missing fails with the reason, and blocks no other mail', async () => {
    const reason = /^A file or image of this email is missing on the server\./;
    const arrived = mail.arrived.length;
    const attachments = [await add('Lost.txt', 'lost')];
    const hex = createHash('sha256').update('lost').digest('hex');
    await rm(join(server.dataDir, 'files', hex.slice(0, 2), hex.slice(2)));
    expect(await send({ dealId, attachments })).toMatchObject({
      status: 400,
      body: { code: 'SEND_REFUSED', details: expect.stringMatching(reason) },
    });
    const { body } = await server.call('GET /email/logs?limit=1', { token: clerk.token });
    expect(body.items).toMatchObject([{ status: 'failed', answer: expect.stringMatching(reason) }]);
    expect(mail.arrived.length).toBe(arrived);
    expect((await send({ dealId })).body.status).toBe('sent');
  });

  test('a mail with a file that cannot be read at the moment is retried, and blocks no other mail', async () => {
    const arrived = mail.arrived.length;
    const attachments = [await add('Looped.txt', 'looped')];
    const hex = createHash('sha256').update('looped').digest('hex');
    const path = join(server.dataDir, 'files', hex.slice(0, 2), hex.slice(2));
    await rm(path);
    // A folder or bucket that fails, for any user of the system.
    await symlink(path, path);
    expect((await send({ dealId, attachments })).body.status).toBe('retrying');
    const { body } = await server.call('GET /email/logs?limit=1', { token: clerk.token });
    expect(body.items).toMatchObject([
      { status: 'retrying', answer: 'The files or images of this email cannot be read at the moment.' },
    ]);
    expect(mail.arrived.length).toBe(arrived);
    expect((await send({ dealId })).body.status).toBe('sent');
  });

  const PIECES = [
    'Größe',
    '車',
    '😀',
    '"quoted"',
    "it's",
    '100%',
    'a;b=c',
    '-',
    '.',
    '(1)',
    ' ',
    ',',
    '<b>',
    '=?utf-8?',
  ];
  test('a mail with files delivers random names unchanged', async () => {
    const random = seededRandom('attachment names');
    const names = Array.from({ length: 20 }, (_, index) => {
      const pieces = Array.from(
        { length: 1 + Math.floor(random() * 12) },
        () => PIECES[Math.floor(random() * PIECES.length)]!,
      );
      return `${index}${pieces.join('')}`.trim().slice(0, 200).toWellFormed();
    });
    const attachments = [];
    // As sent by a browser's form.
    for (const name of names) attachments.push(await add(name.replaceAll('"', '%22'), name));
    await send({ dealId, attachments });
    expect(filesOf(await newest()).map(({ filename, content }) => [filename, content.toString()])).toEqual(
      names.map((name) => [name, name]),
    );
  });
});

describe('a merge with files', () => {
  let ids: string[];
  beforeAll(async () => {
    const deals = [];
    for (const customerName of ['Bob', 'Cid', 'Dee'])
      deals.push(await addDeal(server, admin, dealershipId, { customerName }));
    ids = deals.map(({ _id }) => _id);
  });

  test('a merge with files delivers them with each of its emails, and stores each once', async () => {
    const before = mail.accepted.length;
    const attachments = [
      await add('Second.pdf', 'second', admin),
      await add('First.pdf', BYTES, admin),
    ].toReversed();
    const merge = (body: object) =>
      server.call('POST /deals/bulk/email', { token: admin.token, body: { ids, templateId, ...body } });
    expect(await merge({ attachments: [await add('Not mine.pdf', 'x')] })).toMatchObject({
      status: 400,
      body: { errors: { attachments: expect.any(String) } },
    });
    const { status, body } = await merge({ attachments });
    expect([status, body.total]).toEqual([202, 3]);
    await expect.poll(() => mail.accepted.length).toBe(before + 3);
    const received = await Promise.all(mail.accepted.slice(before).map(readMail));
    expect(new Set(received.map(({ subject }) => subject))).toEqual(
      new Set(['About Bob', 'About Cid', 'About Dee']),
    );
    for (const each of received) {
      expect(filesOf(each)).toMatchObject([
        { filename: 'First.pdf', content: BYTES },
        { filename: 'Second.pdf', content: Buffer.from('second') },
      ]);
    }
    const uses = await server.db
      .selectFrom('email_attachment_uses')
      .where('attachment_id', 'in', attachments)
      .select(['attachment_id', (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy('attachment_id')
      .execute();
    expect(uses.map(({ count }) => count)).toEqual([3, 3]);
    const logs = await server.call(`GET /email/logs?batchId=${body._id}`, { token: admin.token });
    expect(logs.body.items.map((item: { attachmentCount: number }) => item.attachmentCount)).toEqual([
      2, 2, 2,
    ]);
  });
});
