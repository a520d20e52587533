import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp, type Person } from '../../../test/app.ts';
import { blockWrites, countWaiting } from '../../../test/block-inserts.ts';
import { newestAudit } from '../../../test/builders.ts';
import { jpegOf, pngChunk, segment, tiff } from '../../../test/image-parts.ts';
import { addImage, DOT, pngOf } from '../../../test/images.ts';

const server = await testApp();
const manages = { features: { manageTemplates: true } };
const manager = await server.person({ name: 'Mia Manager', permissions: manages });
const colleague = await server.person({ name: 'Col League', permissions: manages });
const viewer = await server.person({ permissions: { emailTemplateConfiguration: { viewTemplates: true } } });
const clerk = await server.person({ name: 'Cleo Clerk' });
afterAll(() => server.close());

const IMAGE_ONLY = { errors: { image: 'Must be a PNG, JPEG or GIF image' } };
const NOT_FOUND = {
  status: 400,
  body: { errors: { document: 'An image is not there any more. Remove it, or add it again.' } },
};
const image = (imageId: string) => ({ type: 'image', imageId, alt: 'Our logo', width: 200 });
let count = 0;
const template = (...blocks: object[]) => ({
  name: `Pictured ${(count += 1)}`,
  subject: 'Look',
  document: { blocks },
  variables: [],
});
const save = (body: object, by = manager) => server.call('POST /email-templates', { token: by.token, body });
const read = (id: string, by: Person | undefined = manager) =>
  server.call(`GET /email-templates/images/${id}`, { token: by?.token });
const added = async (content: Buffer = DOT, by = manager): Promise<string> =>
  (await addImage(server, by, content)).body._id;

describe('adding an image', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  test.each<[string, Buffer | string]>([
    ['an SVG', svg],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['a page behind spaces', `\n\n${svg}`],
    ['nothing', ''],
    ['a WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
    ['the first bytes of a PNG', DOT.subarray(0, 8)],
    ['a PNG without pixels', pngOf(0, 10)],
    ['a PNG of a billion pixels', pngOf(100_000, 10_000)],
    ['the name of a GIF', 'GIF89a'],
    ['a GIF that is a script as well', 'GIF89a/*ABCDEFGH*/=1;alert(1)'],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 0, 0, 0, 0, 0, 0])],
    ['a JPEG of empty segments', Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(1_000_000, 0xff)])],
  ])('adding an image rejects %s with any name, at once', async (_what, content) => {
    // With quadratic time this would take minutes: longer than the limit of a test.
    expect(await addImage(server, manager, content)).toMatchObject({ status: 400, body: IMAGE_ONLY });
  });

  test('adding an image rejects more than 2 MB, and a form without the file', async () => {
    expect(await addImage(server, manager, pngOf(1, 1, 2 * 1024 * 1024 + 1))).toMatchObject({
      status: 400,
      body: { errors: { image: 'Must be at most 2 MB' } },
    });
    expect(await addImage(server, manager, DOT, { field: 'file' })).toMatchObject({
      status: 400,
      body: { errors: { image: 'A file is required' } },
    });
  });

  const gif = Buffer.concat([Buffer.from('GIF87a'), Buffer.from([5, 0, 7, 0]), Buffer.alloc(10)]);
  const jpeg = Buffer.from('ffd8ffe000040102ffc2000b080007000501011100ffd9', 'hex');
  test.each<[string, Buffer, object]>([
    ['image/png', pngOf(300, 20, 2 * 1024 * 1024), { width: 300, height: 20, size: 2 * 1024 * 1024 }],
    ['image/gif', gif, { width: 5, height: 7 }],
    ['image/jpeg', jpeg, { width: 5, height: 7 }],
  ])('adding an image recognises %s by its content, and is audited', async (type, content, expected) => {
    const reply = await addImage(server, manager, content, { filename: '../x.svg', type: 'text/html' });
    expect(reply).toMatchObject({ status: 201, body: { type, ...expected } });
    expect(await newestAudit(server, reply.body._id)).toMatchObject({
      action: 'template-image.created',
      actor_id: manager.id,
      after: { type, size: content.length },
    });
  });
});

describe('reading an image', () => {
  test('reading an image is for the user who added it until a template has it, then for readers of the template', async () => {
    const id = await added();
    const canRead = async () =>
      Promise.all([manager, viewer, colleague, clerk].map(async (person) => (await read(id, person)).status));
    expect(await canRead()).toEqual([200, 404, 404, 404]);
    const { body } = await save(template(image(id)));
    expect(await canRead()).toEqual([200, 200, 404, 404]);
    const sharing = { sharedWith: [{ userId: clerk.id, permissions: 'read' }] };
    await server.call(`PUT /email-templates/${body.id}/sharing`, { token: manager.token, body: sharing });
    expect(await canRead()).toEqual([200, 200, 404, 200]);
  });

  test('the file has its detected type, and no content is executed', async () => {
    const script = pngChunk('sCpt', Buffer.from('<script>alert(1)</script>'));
    const content = Buffer.concat([DOT.subarray(0, -12), script, DOT.subarray(-12)]);
    const { body } = await addImage(server, manager, content, { filename: 'x.js', type: 'text/javascript' });
    const { status, headers } = await read(body._id);
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'content-disposition': expect.stringMatching(/^attachment; filename="image.png"/),
        'content-length': String(content.length),
        'cache-control': 'no-store',
      },
    });
  });
});

describe('the metadata of an image', () => {
  const secret = 'taken at home';
  const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff('II', 6)]);
  const upright = Buffer.concat([Buffer.from('Exif\0\0'), tiff('MM', 6)]);
  test.each<[string, Buffer, Buffer]>([
    [
      'a JPEG, except which side is up',
      jpegOf([segment(0xe1, Buffer.concat([exif, Buffer.from(secret)])), segment(0xfe, secret)]),
      jpegOf([segment(0xe1, upright)]),
    ],
    [
      'a PNG',
      Buffer.concat([DOT.subarray(0, 33), pngChunk('tEXt', Buffer.from(secret)), DOT.subarray(33)]),
      DOT,
    ],
  ])('the metadata of an image is removed from %s', async (_what, content, kept) => {
    const { status, body } = await addImage(server, manager, content);
    expect([status, body.size]).toEqual([201, kept.length]);
    const { rawPayload } = await server.app.inject({
      url: `/api/email-templates/images/${body._id}`,
      headers: { authorization: `Bearer ${manager.token}` },
    });
    expect(rawPayload.equals(kept)).toBe(true);
  });

  test('a damaged image is rejected by the upload', async () => {
    for (const content of [
      DOT.subarray(0, -1),
      Buffer.concat([jpegOf([]).subarray(0, -2), segment(0xe1, 'x').subarray(0, -1)]),
    ]) {
      expect(await addImage(server, manager, content)).toMatchObject({
        status: 400,
        body: { errors: { image: 'This image is damaged. Save it anew and add that one.' } },
      });
    }
  });
});

describe('a template with images', () => {
  test.each<[object, object]>([
    [{ alt: ' ' }, { 'document.blocks.0.alt': 'An image needs a description' }],
    [{ width: 10_000 }, { 'document.blocks.0.width': expect.any(String) }],
    [{ imageId: '../etc/passwd' }, { 'document.blocks.0.imageId': expect.any(String) }],
    [{ src: 'https://x.example/a.png' }, { 'document.blocks.0.src': 'Unknown field' }],
    [{ imageId: 'data:image/svg+xml,x' }, { 'document.blocks.0.imageId': expect.any(String) }],
  ])('a template with images rejects %j', async (changes, errors) => {
    const body = template({ ...image(await added()), ...changes });
    expect(await save(body)).toMatchObject({ status: 400, body: { errors } });
  });

  test('a template with images does not reveal an image by referencing it', async () => {
    const theirs = await added(DOT, colleague);
    expect(await save(template(image(theirs)))).toMatchObject(NOT_FOUND);
    const hidden = { type: 'conditional', key: 'a', blocks: [image(theirs)] };
    expect(await save(template(hidden))).toMatchObject(NOT_FOUND);
    const { body: own } = await save(template(image(await added())));
    const body = { ...template(image(theirs)), name: own.name };
    expect(await server.call(`PUT /email-templates/${own.id}`, { token: manager.token, body })).toMatchObject(
      NOT_FOUND,
    );
    expect((await read(theirs)).status).toBe(404);
  });

  test('a template with images has at most 5 MB of them', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => added(pngOf(1, 1, 1.8 * 1024 * 1024))));
    expect(await save(template(...ids.map(image)))).toMatchObject({
      status: 400,
      body: { errors: { document: 'The images of a template may have at most 5 MB together' } },
    });
    expect((await save(template(...ids.slice(1).map(image), image(ids[1]!)))).status).toBe(201);
  });

  /** An image that the next upload deletes. */
  const outdated = async (): Promise<string> => {
    const id = await added();
    const created_at = sql<string>`now() - interval '2 days'`;
    await server.db.updateTable('template_images').set({ created_at }).where('id', '=', id).execute();
    return id;
  };

  test('an image that is being saved in a template delays and fails no upload', async () => {
    const id = await outdated();
    const event = sql`insert on template_image_uses for each row`;
    const { saving } = await blockWrites(server.db, 'hold_uses', event, async (untilBlocked) => {
      const first = save(template(image(id)));
      await untilBlocked();
      expect((await addImage(server, colleague, DOT)).status).toBe(201);
      return { saving: first };
    });
    expect((await saving).status).toBe(201);
  });

  test('an image that is just being deleted is named in the refusal', async () => {
    const id = await outdated();
    const event = sql`insert on template_images for each row`;
    const { saving } = await blockWrites(server.db, 'hold_images', event, async (untilBlocked) => {
      const upload = addImage(server, colleague, DOT);
      await untilBlocked();
      const second = save(template(image(id)));
      await expect.poll(() => countWaiting(server.db)).toBe(2);
      return { upload, saving: second };
    });
    expect(await saving).toMatchObject(NOT_FOUND);
  });

  test('an image without a version or message is deleted after a day, at the next upload', async () => {
    const [unused, used, fresh] = [await added(), await added(), await added()];
    const { body: own } = await save(template(image(used)));
    // The previous version still uses it.
    const body = { ...template(), name: own.name };
    await server.call(`PUT /email-templates/${own.id}`, { token: manager.token, body });
    await server.db
      .updateTable('template_images')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('id', 'in', [unused, used])
      .execute();
    await added();
    const left = await Promise.all([unused, used, fresh].map(async (id) => (await read(id)).status));
    expect(left).toEqual([404, 200, 200]);
  });
});
