import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { api } from '@forecourt/contract/api';
import { dealSorts } from '@forecourt/contract/deal-list';
import type { RouteContract } from '@forecourt/contract/route';
import { afterAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { testApp } from '../../../test/app.ts';
import { blockInserts, countWaiting } from '../../../test/block-inserts.ts';
import { addDealership, changePermissions } from '../../../test/builders.ts';
import { pngOf } from '../../../test/images.ts';
import { uploadFile } from '../../../test/uploads.ts';

const server = await testApp();
const admin = await server.person({ role: 'admin' });
const dealershipId = await addDealership(server, admin);
afterAll(() => server.close());

const countDeals = async () => (await server.db.selectFrom('deals').select('id').execute()).length;
const deal = (customerName = 'Ann') => ({ dealershipId, customerName });

test('a body that is optional in the contract may be absent', async () => {
  const optional = Object.entries(api as Record<string, RouteContract>).filter(
    ([, { body }]) => body?.safeParse(undefined).success,
  );
  expect(optional.map(([route]) => route)).toContain('POST /backups/:name/restore');
  for (const [route] of optional) {
    // The body was accepted: only the record does not exist.
    const reply = await server.call(route.replaceAll(/:\w+/g, 'unknown'), { token: admin.token });
    expect(reply, route).toMatchObject({ status: 404 });
  }
});

test('every route with a cursor refuses one that is made up, by name', async () => {
  const withCursor = Object.entries(api as Record<string, RouteContract>).flatMap(([route, { query }]) => {
    const { sort, cursor } = (query as z.ZodObject | undefined)?.shape ?? {};
    return cursor ? [{ route, isSorted: sort !== undefined }] : [];
  });
  expect(withCursor.map(({ route }) => route)).toEqual(['GET /deals', 'GET /changes', 'GET /audit-logs']);
  const { body: field } = await server.call('POST /custom-fields', {
    token: admin.token,
    body: { name: 'Delivered', type: 'date' },
  });
  const get = (route: string, query: string) => server.call(`${route}?${query}`, { token: admin.token });
  const refused = { status: 400, body: { errors: { cursor: expect.any(String) } } };
  for (const { route, isSorted } of withCursor) {
    for (const text of ['x', "1'", '9'.repeat(19), '%00', 'e30', 'bnVsbA'])
      expect(await get(route, `cursor=${text}`), `${route} ${text}`).toMatchObject(refused);
    if (!isSorted) continue;
    for (const sort of [...dealSorts, field.key]) {
      for (const value of ['made up', '9999-99-99', '1e400000', '\0']) {
        const place = [sort, false, value, admin.id, 1];
        const text = Buffer.from(JSON.stringify(place)).toString('base64url');
        const reply = await get(route, `sort=${sort}&order=asc&cursor=${text}`);
        // Any text is a value of a sort by text.
        if (reply.status !== 200) expect(reply, `${route} ${sort} ${value}`).toMatchObject(refused);
        if (value === '\0') expect(reply.status).toBe(400);
      }
    }
  }
});

describe('every route rejects', () => {
  test('every route rejects unknown fields, by name', async () => {
    const reply = await server.call('POST /deals', { token: admin.token, body: { ...deal(), comission: 5 } });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'INVALID_REQUEST', errors: { comission: 'Unknown field' } });
    expect(await countDeals()).toBe(0);
  });

  test('every route rejects unknown query parameters and bodies if it takes none', async () => {
    // Other path parameters are numbers and names.
    const ofRecords = Object.entries(api as Record<string, RouteContract>).filter(
      ([, { params }]) => !params || Object.keys(params.shape).every((name) => /id$/i.test(name)),
    );
    expect(ofRecords.length).toBeGreaterThan(100);
    for (const [route, { query, body, upload }] of ofRecords) {
      const path = route.replaceAll(/:\w+/g, admin.id);
      const send = (target: string, unknown?: object) =>
        server.call(target, { token: admin.token, ...(unknown && { body: unknown }) });
      const refused = { status: 400, body: { errors: { surprise: 'Unknown field' } } };
      if (!query) expect(await send(`${path}?surprise=1`), route).toMatchObject(refused);
      if (body || upload || route.startsWith('GET')) continue;
      expect(await send(path, { surprise: 1 }), route).toMatchObject(refused);
    }
  });

  test.each([
    'application/json',
    'application/json; charset=x',
    'APPLICATION/JSON;',
    'application/vnd.x+json',
    'text/plain',
  ])('every route rejects a body without its required fields under Content-Type %s', async (contentType) => {
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/deals',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': contentType },
      payload: '{}',
    });
    expect([400, 415]).toContain(reply.statusCode);
    expect(await countDeals()).toBe(0);
  });

  test.each(['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{', 'null', '[]', '"x"'])(
    'every route rejects the body %s',
    async (payload) => {
      const reply = await server.app.inject({
        method: 'POST',
        url: '/api/deals',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
        payload,
      });
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ code: 'INVALID_REQUEST' });
    },
  );

  test.each(['application/json', 'application/json; charset=iso-8859-1'])(
    'every route rejects a body as %s whose bytes are not UTF-8',
    async (contentType) => {
      const reply = await server.app.inject({
        method: 'POST',
        url: '/api/deals',
        headers: { authorization: `Bearer ${admin.token}`, 'content-type': contentType },
        payload: Buffer.from(JSON.stringify(deal('Zo\u00EB')), 'latin1'),
      });
      expect(reply.statusCode).toBe(400);
      expect(reply.json()).toMatchObject({ details: 'The body is not valid UTF-8' });
      expect(await countDeals()).toBe(0);
    },
  );

  test('every route rejects a deeply nested body, also with an Idempotency-Key, and in a field that is ignored', async () => {
    const nested = '['.repeat(200_000) + ']'.repeat(200_000);
    const reply = await server.app.inject({
      method: 'PUT',
      url: `/api/dealerships/${dealershipId}/sharing`,
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'idempotency-key': 'nested',
      },
      payload: `{"sharedWith":[{"userId":"${admin.id}","sharedAt":${nested}}]}`,
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ details: 'The body is nested too deeply' });
  });

  test('every route rejects a compressed body, without decompressing it', async () => {
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/deals',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload: gzipSync(JSON.stringify(deal())),
    });
    expect(reply.statusCode).toBe(400);
    expect(await countDeals()).toBe(0);
  });

  test('every route rejects an invalid id, with the same error as an unknown one', async () => {
    const impossible = await server.call("GET /deals/1'or'1", { token: admin.token });
    const absent = await server.call('GET /deals/01930000-0000-7000-8000-00000000ffff', {
      token: admin.token,
    });
    const { requestId: _one, ...first } = impossible.body;
    const { requestId: _two, ...second } = absent.body;
    expect([impossible.status, first]).toEqual([404, second]);
    expect(absent.status).toBe(404);
  });

  test.each([
    '/api/nothing',
    '/api//deals',
    '/api/DEALS',
    '/api/deals/',
    '/api/%64eals/..%2f',
    '/api/health/../deals',
  ])('every route rejects the path %s without a session, without revealing anything', async (url) => {
    const reply = await server.app.inject({ url });
    expect([401, 404]).toContain(reply.statusCode);
  });
});

test('a password of few emoji, each counted as one character', async () => {
  const send = (body: object) => server.call('POST /deals', { token: admin.token, body });
  const fits = { ...deal('😀'.repeat(120)), dealNumber: '🚗'.repeat(40), notes: '🎉'.repeat(5000) };
  expect((await send(fits)).status).toBe(201);
  for (const [field, count] of [
    ['customerName', 121],
    ['dealNumber', 41],
    ['notes', 5001],
  ] as const) {
    const reply = await send({ ...fits, [field]: '😀'.repeat(count) });
    expect(reply.body.errors).toEqual({ [field]: `Must be at most ${count - 1} characters` });
  }
  const body = { currentPassword: 'x', newPassword: '😀'.repeat(11) };
  expect((await server.call('POST /auth/change-password', { token: admin.token, body })).body.errors).toEqual(
    {
      newPassword: 'Must be at least 12 characters',
    },
  );
});

describe('values that only a database would reject', () => {
  test.each([
    'GET /deals?cursor=abc',
    'GET /deals?search=%00',
    'GET /deals/summary?search=%00',
    'GET /deals?status=%00',
    'GET /email/logs?search=%00',
  ])('a value that only a database would reject returns 400 for %s', async (route) => {
    expect((await server.call(route, { token: admin.token })).status).toBe(400);
  });

  test.each([
    { deliveryDate: '0000-01-01' },
    { followUpAt: '9999-12-31T23:59:59.999Z' },
    { followUpAt: '2026-01-01T00:00:00.1234567Z' },
    { notes: 'half \ud800' },
    { customerName: 'a\u0000b' },
  ])('a value that only a database would reject returns 400 for %j', async (changes) => {
    const reply = await server.call('POST /deals', { token: admin.token, body: { ...deal(), ...changes } });
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: { [Object.keys(changes)[0]!]: expect.any(String) } },
    });
  });
});

describe('permissions that end while a body arrives', () => {
  test('permissions that end while a body arrives are checked again afterwards: a user deactivated meanwhile changes nothing', async () => {
    const dismissed = await server.person({ role: 'admin' });
    const { port } = new URL(await server.app.listen({ port: 0, host: '127.0.0.1' }));
    const body = JSON.stringify({ name: 'Back Door', email: 'back@door.example', role: 'admin' });
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const begun = once(server.app.server, 'request');
    socket.write(
      `POST /api/users HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${dismissed.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n{`,
    );
    await begun;
    const change = { token: admin.token, body: { isActive: false } };
    expect((await server.call(`PUT /users/${dismissed.id}`, change)).status).toBe(200);
    let answer = '';
    socket.setEncoding('utf8').on('data', (part: string) => (answer += part));
    socket.write(body.slice(1));
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    const { items } = (await server.call('GET /users', { token: admin.token })).body;
    expect(items.some(({ email }: { email: string }) => email === 'back@door.example')).toBe(false);
  });
});

describe('bodies of public routes', () => {
  test('bodies of public routes are limited, and the response does not grow with the number of errors', async () => {
    const wrong = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 1]));
    expect((await server.call('POST /auth/login', { body: wrong(3000) })).status).toBe(413);
    const reply = await server.call('POST /auth/login', { body: wrong(900) });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.errors).length).toBeLessThanOrEqual(102);
  });
});

describe('every response', () => {
  const isolation = {
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  };

  test.each([
    'GET /health',
    'GET /nothing',
    'GET /deals',
    'GET /openapi.json',
    'GET /docs/static/index.html',
  ])('every response of %s has the security headers and a request id', async (route) => {
    const { headers } = await server.call(route);
    expect(headers).toMatchObject(isolation);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(['/api/deals/%zz', '/a%ff', '/nowhere.js', '/api'])(
    'every response also for %s, with our own message',
    async (url) => {
      const answer = await server.app.inject({ url });
      expect(answer.statusCode).toBe(404);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers).toMatchObject(isolation);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', message: 'Resource not found' });
    },
  );

  test('every response for an address in a browser that cannot be decoded leads to the page that says so', async () => {
    const headers = { accept: 'text/html,*/*' };
    const answer = await server.app.inject({ url: '//elsewhere.example/%E0%A4%A', headers });
    expect(answer.statusCode).toBe(302);
    expect(answer.headers.location).toBe('/not-found');
    expect((await server.app.inject({ url: '/api/deals/%zz', headers })).statusCode).toBe(404);
  });

  test('every response with an error contains its request id, as the log does', async () => {
    const { body, headers } = await server.call('GET /deals');
    expect(body).toEqual({
      message: 'Session expired. Please log in again.',
      code: 'NOT_SIGNED_IN',
      requestId: headers['x-request-id'],
    });
  });
});

describe('a write with an Idempotency-Key', () => {
  const send = (key: string, body: object, token = admin.token) =>
    server.call('POST /deals', { token, body, headers: { 'idempotency-key': key } });

  test('a write with an Idempotency-Key runs once, and a retry gets the first response', async () => {
    const before = await countDeals();
    const first = await send('once', deal());
    const again = await send('once', deal());
    expect(first.status).toBe(201);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(await countDeals()).toBe(before + 1);
  });

  test('a write with an Idempotency-Key runs once for ten concurrent requests', async () => {
    const before = await countDeals();
    const replies = await Promise.all(Array.from({ length: 10 }, () => send('together', deal())));
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.body._id}`)).size).toBe(1);
    expect(await countDeals()).toBe(before + 1);
  });

  test('a write with an Idempotency-Key waits without a connection while its first request runs: other requests are served', async () => {
    const rows = [{ key: 'a'.repeat(32), deal: deal('Held') }];
    const create = () =>
      server.call('POST /deals/bulk/create', {
        token: admin.token,
        body: { rows },
        headers: { 'idempotency-key': 'held' },
      });
    const replies = await blockInserts(server.db, 'Held', async (untilBlocked) => {
      const sent = Array.from({ length: 20 }, create);
      await untilBlocked();
      expect((await server.call('GET /deals', { token: admin.token })).status).toBe(200);
      expect(await countWaiting(server.db)).toBe(1);
      return sent;
    });
    const ids = (await Promise.all(replies)).map(({ body }) => body.items[0].deal._id);
    expect(new Set(ids).size).toBe(1);
  });

  test('a write with an Idempotency-Key is rejected when the same key has another body', async () => {
    await send('body', deal());
    expect(await send('body', deal('Bob'))).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } });
  });

  test('a write with an Idempotency-Key stores no key when it is rejected, so that the corrected one can use it', async () => {
    expect((await send('fixed', { ...deal(), customerName: '' })).status).toBe(400);
    expect((await send('fixed', deal())).status).toBe(201);
  });

  test('a write with an Idempotency-Key is stored for a day and accepted as new afterwards', async () => {
    const first = await send('old', deal());
    const createdHoursAgo = (hours: number) =>
      server.db
        .updateTable('idempotency_keys')
        .set({ created_at: new Date(Date.now() - hours * 3_600_000) })
        .where('key', '=', 'old')
        .execute();
    await createdHoursAgo(23);
    expect((await send('old', deal())).body).toEqual(first.body);
    await createdHoursAgo(25);
    const second = await send('old', deal());
    expect(second.status).toBe(201);
    expect(second.body._id).not.toBe(first.body._id);
  });

  test('a write with an Idempotency-Key is not repeated after the user’s permissions changed: the response may contain hidden data', async () => {
    const clerk = await server.person({ permissions: { dataEntry: { canAddRows: true } } });
    expect((await send('rights', deal(), clerk.token)).status).toBe(201);
    const body = { dataEntry: { columnVisibility: { restrictedDealerships: [dealershipId] } } };
    await changePermissions(server, admin, clerk, body);
    const again = await send('rights', deal(), clerk.token);
    expect(again).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } });
    expect(again.body.message).toMatch(/^This was saved/);
  });

  test.each([
    ['/email/attachments', 'file', [Buffer.from('first'), Buffer.from('other')]],
    ['/email-templates/images', 'image', [pngOf(2, 2), pngOf(2, 3)]],
  ] as const)('POST %s covers the name and the content of the file', async (path, field, [first, other]) => {
    const idempotencyKey = `file of ${field}`.replaceAll(' ', '-');
    const upload = (content: Buffer, filename: string) =>
      uploadFile(server, admin, path, content, { field, filename, idempotencyKey });
    const added = await upload(first, 'a.png');
    expect(added.status).toBe(201);
    expect((await upload(first, 'a.png')).body).toEqual(added.body);
    for (const reply of [await upload(other, 'a.png'), await upload(first, 'b.png')]) {
      expect(reply).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } });
    }
  });

  test('a write with an Idempotency-Key includes the file in the key on every upload route, or accepts no key', () => {
    const uploads = Object.values(api as Record<string, RouteContract>).filter(({ upload }) => upload);
    expect(uploads.length).toBeGreaterThan(2);
    for (const { summary, uploadLimit, takesNoKey } of uploads) {
      expect(uploadLimit !== undefined || takesNoKey !== undefined, summary).toBe(true);
    }
  });

  describe('whose response is a secret', () => {
    const write = (route: string, key: string, body?: object) =>
      server.call(route, { token: admin.token, headers: { 'idempotency-key': key }, ...(body && { body }) });
    const storedOf = async (key: string) =>
      JSON.stringify(
        await server.db.selectFrom('idempotency_keys').selectAll().where('key', '=', key).execute(),
      );
    const kim = { name: 'Kim Example', email: 'kim@keys.example', role: 'user', firstSignIn: 'password' };
    let kimId: string;

    test('POST /users adds one user and returns the same password to a retry, stored encrypted', async () => {
      const first = await write('POST /users', 'new-person', kim);
      expect(first.status).toBe(201);
      kimId = first.body._id;
      expect((await write('POST /users', 'new-person', kim)).body).toEqual(first.body);
      const stored = await storedOf('new-person');
      expect(stored).toContain('sealed');
      expect(stored).not.toContain(first.body.entry.temporaryPassword);
    });

    test.each(['reset-password', 'invitation'])('POST /users/{id}/%s runs once', async (action) => {
      const route = `POST /users/${kimId}/${action}`;
      const first = await write(route, action);
      expect(first.status).toBe(200);
      expect((await write(route, action)).body).toEqual(first.body);
      expect((await write(`POST /users/${admin.id}/${action}`, action)).body.code).toBe('KEY_REUSED');
    });

    test('a write whose response is a secret is erased after a minute', async () => {
      await server.db
        .updateTable('idempotency_keys')
        .set({ created_at: new Date(Date.now() - 61_000) })
        .where('key', '=', 'reset-password')
        .execute();
      const again = await write(`POST /users/${kimId}/reset-password`, 'reset-password');
      expect(again).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } });
      expect(again.body.message).toMatch(/^This was done/);
      await write(`POST /users/${kimId}/reset-password`, 'another');
      expect(await storedOf('reset-password')).not.toContain('sealed');
    });
  });

  test('a write with an Idempotency-Key is rejected with a message by every route that accepts no key', async () => {
    const refusing = Object.entries(api as Record<string, RouteContract>).filter(
      ([, { takesNoKey }]) => takesNoKey,
    );
    expect(refusing.length).toBeGreaterThan(8);
    for (const [route, { takesNoKey }] of refusing) {
      const reply = await server.call(route.replaceAll(/:\w+/g, admin.id), {
        token: admin.token,
        headers: { 'idempotency-key': 'none' },
      });
      expect(reply.status, route).toBe(400);
      expect(reply.body.errors['Idempotency-Key']).toContain(takesNoKey);
    }
  });

  test('a write with an Idempotency-Key separates the keys of different users', async () => {
    const other = await server.person({ role: 'admin' });
    expect((await send('shared', deal())).status).toBe(201);
    const theirs = await send('shared', deal('Their own'), other.token);
    expect(theirs).toMatchObject({ status: 201, body: { customerName: 'Their own' } });
  });
});

test('openapi.json lists every route with its policy, statuses and errors, and /api/docs shows it', async () => {
  const { body } = await server.call('GET /openapi.json');
  expect(body.openapi).toBe('3.1.0');
  for (const [key, contract] of Object.entries(api as Record<string, RouteContract>)) {
    const [method, path] = key.split(' ') as [string, string];
    const operation = body.paths[`/api${path.replaceAll(/:(\w+)/g, '{$1}')}`][method.toLowerCase()];
    const successes = Object.keys(operation.responses).filter((status) => status < '300');
    expect(successes, key).toContain(
      String(contract.status ?? (contract.response || contract.download ? 200 : 204)),
    );
    for (const [status, { $ref }] of Object.entries<{ $ref?: string }>(operation.responses)) {
      if (status < '300') continue;
      const { content } = body.components.responses[$ref!.split('/').at(-1)!];
      expect(content['application/json'].schema.$ref, key).toBe('#/components/schemas/Error');
    }
    if (operation.security) expect(operation.responses, key).toHaveProperty('401');
    if (contract.params) expect(operation.responses, key).toHaveProperty('404');
  }
  expect(body.paths['/api/events'].get.responses[200].content).toHaveProperty('text/event-stream');
  expect(body.paths['/api/users/{id}/sessions'].delete.responses[204]).toEqual({ description: 'Done' });
  expect(body.paths['/api/backups/upload'].post.requestBody.content).toHaveProperty('multipart/form-data');
  expect(body.paths['/api/deals/{id}'].patch).toMatchObject({
    description: 'For: page dataEntry.',
    security: [{ session: [] }],
  });
  const docs = await server.app.inject({ url: '/api/docs/' });
  expect([200, 302]).toContain(docs.statusCode);
});

test('every upload route refuses or accepts a part of a form without a name, a type or a file', async () => {
  const { body: row } = await server.call('POST /deals', { token: admin.token, body: deal('Upload') });
  const routes = Object.entries(api as Record<string, RouteContract>).filter(([, { upload }]) => upload);
  expect(routes).toHaveLength(4);
  const bytes = 'content-type: application/octet-stream';
  for (const [route, { upload }] of routes) {
    const named = `content-disposition: form-data; name="${upload}"`;
    for (const head of [
      `${named}\r\n${bytes}`,
      `${named}; filename=""\r\n${bytes}`,
      `${named}; filename*=UTF-8''a.png\r\n${bytes}`,
      `${named}; filename="a.png"`,
      named,
      `content-disposition: form-data; filename="a.png"\r\n${bytes}`,
      `content-disposition: form-data\r\n${bytes}`,
      'content-disposition: attachment',
      bytes,
      '',
    ]) {
      const reply = await server.app.inject({
        method: 'POST',
        url: `/api${route.split(' ')[1]!.replace(':id', row._id)}`,
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'multipart/form-data; boundary=b',
        },
        payload: Buffer.concat([
          Buffer.from(`--b\r\n${head}\r\n\r\n`),
          pngOf(1, 1),
          Buffer.from('\r\n--b--\r\n'),
        ]),
      });
      expect([201, 400, 413], `${route} ${head}: ${reply.body}`).toContain(reply.statusCode);
    }
  }
});
