import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { addImage, DOT } from '../../../test/images.ts';
import { readMail } from '../../../test/smtp.ts';
import { openOffice } from './office.fixture.ts';

const office = await openOffice();
const { server, mail, admin, clerk, dealId, templateId, send, preview } = office;
afterAll(() => office.close());

const DATA = `data:image/png;base64,${DOT.toString('base64')}`;
const image = (imageId: string) => ({ type: 'image', imageId, alt: 'Our "logo" <b>', width: 120 });
const pictured = (imageId: string) => ({
  blocks: [image(imageId), { type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }, image(imageId)],
});
const contents = (document: object) => ({
  name: 'Daily',
  subject: 'Look',
  status: 'active',
  document,
  variables: [],
});
const added = async (by = admin): Promise<string> => (await addImage(server, by, DOT)).body._id;

const imageId = await added();
const body = contents(pictured(imageId));
await server.call(`PUT /email-templates/${templateId}`, { token: admin.token, body });

test('users who may send a template see its images, embedded in the page', async () => {
  const { body } = await preview({ templateId, dealId });
  expect(body.html.match(/<img [^>]*>/g)).toEqual(
    Array.from(
      { length: 2 },
      () =>
        `<img src="${DATA}" alt="Our &quot;logo&quot; &lt;b&gt;" width="120" style="display:block;width:120px;max-width:100%;height:auto;border:0">`,
    ),
  );
  expect(body.text).toBe('[Our "logo" <b>]\n\nHello\n\n[Our "logo" <b>]\n');
});

test('a template being edited shows no image hidden from its author', async () => {
  const [mine, theirs] = [await added(), await added(await server.person({ role: 'admin' }))];
  const shown = async (id: string) => {
    const { body } = await preview({ template: contents(pictured(id)), dealId }, admin.token);
    return /<img src="([^"]*)"/.exec(body.html)?.[1];
  };
  expect(await shown(mine)).toBe(DATA);
  expect(await shown(theirs)).toBe('');
});

test('a message is sent with its images as inline parts, and shows them in the history', async () => {
  const { body: entry } = await send({ dealId, to: [clerk.email] });
  await mail.whenArrived(1);
  const received = mail.accepted[0]!;
  expect(received.raw).toMatch(/^content-type: multipart\/alternative/im);
  expect(received.raw).toMatch(/^content-type: multipart\/related/im);
  const { html, text, attachments } = await readMail(received);
  expect(text?.trim()).toBe('[Our "logo" <b>]\n\nHello\n\n[Our "logo" <b>]');
  expect(attachments).toHaveLength(1);
  const [part] = attachments;
  expect(part).toMatchObject({
    contentId: `<${imageId}@images.forecourt>`,
    mimeType: 'image/png',
    disposition: 'inline',
    filename: 'image-1.png',
  });
  expect(Buffer.from(part!.content as ArrayBuffer).equals(DOT)).toBe(true);
  expect(html!.split(`src="cid:${imageId}@images.forecourt"`)).toHaveLength(3);

  const { body: kept } = await server.call(`GET /email/logs/${entry._id}`, { token: clerk.token });
  expect(kept.html).toContain(`src="${DATA}"`);
  expect(kept.html).not.toContain('cid:');
});

test('a message preserves its images when the template is deleted', async () => {
  const body = { ...contents(pictured(imageId)), name: 'Short-lived' };
  const { body: own } = await server.call('POST /email-templates', { token: admin.token, body });
  const { body: entry } = await send({ dealId }, { id: own.id, token: admin.token });
  await server.call(`DELETE /email-templates/${own.id}`, { token: admin.token });
  await server.db.deleteFrom('template_image_uses').execute();
  await server.db
    .updateTable('template_images')
    .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
    .execute();
  await added();
  const { body: kept } = await server.call(`GET /email/logs/${entry._id}`, { token: admin.token });
  expect(kept.html).toContain(`src="${DATA}"`);
});

test('image references in a value are text', async () => {
  const document = {
    blocks: [{ type: 'paragraph', content: [{ type: 'variable', key: 'a' }] }],
  };
  const variable = {
    key: 'a',
    label: 'A',
    category: 'other',
    defaultValue: `<img src="cid:${imageId}@images.forecourt">`,
    description: '',
    linkedData: null,
    required: false,
  };
  const template = { ...contents(document), variables: [variable] };
  const { body } = await preview({ template, dealId }, admin.token);
  expect(body.html).not.toContain('<img');
  expect(body.html).not.toContain(DATA);
});

test('a message and a preview are shown without an image whose content is missing', async () => {
  const { body: entry } = await send({ dealId });
  await rm(join(server.dataDir, 'files'), { recursive: true });
  const shown = [
    await server.call(`GET /email/logs/${entry._id}`, { token: clerk.token }),
    await preview({ templateId, dealId }),
    await preview({ template: contents(pictured(imageId)), dealId }, admin.token),
  ];
  for (const { status, body } of shown) {
    expect(status).toBe(200);
    expect(body.html).toContain('Hello');
    expect(body.html).toContain('<img src="" ');
  }
});
