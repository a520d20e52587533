import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp, type Person, type TestApp } from '../../../test/app.ts';
import { addDealership } from '../../../test/builders.ts';

let server: TestApp;
let admin: Person;
let dealershipId: string;
beforeAll(async () => {
  server = await testApp();
  admin = await server.person({ role: 'admin' });
  dealershipId = await addDealership(server, admin);
});
afterAll(() => server.close());

const countDeals = async () => (await server.db.selectFrom('deals').select('id').execute()).length;
const deal = (customerName = 'Ann') => ({ dealershipId, customerName });

describe('what every call refuses', () => {
  test('unknown fields, by name', async () => {
    const reply = await server.call('POST /deals', { token: admin.token, body: { ...deal(), comission: 5 } });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'INVALID_REQUEST', errors: { comission: 'Unknown field' } });
    expect(await countDeals()).toBe(0);
  });

  test.each([
    'application/json',
    'application/json; charset=x',
    'APPLICATION/JSON;',
    'application/vnd.x+json',
    'text/plain',
  ])('a body without its required fields under Content-Type %s', async (contentType) => {
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
    'the body %s',
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

  test('an id that cannot exist, like one that does not', async () => {
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
  ])('the path %s without a session shows nothing', async (url) => {
    const reply = await server.app.inject({ url });
    expect([401, 404]).toContain(reply.statusCode);
  });
});

describe('what only a database would refuse', () => {
  test.each([
    'GET /deals?cursor=abc',
    'GET /deals?search=%00',
    'GET /deals/summary?search=%00',
    'GET /deals?status=%00',
    'GET /email/logs?search=%00',
  ])('%s is bad input', async (route) => {
    expect((await server.call(route, { token: admin.token })).status).toBe(400);
  });

  test.each([
    { deliveryDate: '0000-01-01' },
    { followUpAt: '9999-12-31T23:59:59.999Z' },
    { followUpAt: '2026-01-01T00:00:00.1234567Z' },
    { notes: 'half \ud800' },
    { customerName: 'a\u0000b' },
  ])('%j is bad input', async (changes) => {
    const reply = await server.call('POST /deals', { token: admin.token, body: { ...deal(), ...changes } });
    expect(reply).toMatchObject({
      status: 400,
      body: { errors: { [Object.keys(changes)[0]!]: expect.any(String) } },
    });
  });
});

describe('rights that end while a body is on its way', () => {
  test('are judged again when it has come: who was dismissed meanwhile changes nothing', async () => {
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

describe('bodies of strangers', () => {
  test('are small, and an answer does not grow with how much is wrong', async () => {
    const wrong = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, 1]));
    expect((await server.call('POST /auth/login', { body: wrong(3000) })).status).toBe(413);
    const reply = await server.call('POST /auth/login', { body: wrong(900) });
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.errors).length).toBeLessThanOrEqual(102);
  });
});

describe('every answer', () => {
  test.each(['GET /health', 'GET /nothing', 'GET /deals'])(
    '%s carries the security headers and a request id',
    async (route) => {
      const { headers } = await server.call(route);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['strict-transport-security']).toBeUndefined();
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test.each(['/api/deals/%zz', '/a%ff', '/nowhere.js', '/api'])(
    'also to %s, in our own words',
    async (url) => {
      const answer = await server.app.inject({ url });
      expect(answer.statusCode).toBe(404);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', message: 'Resource not found' });
    },
  );

  test('that is an error names its request id, as the log does', async () => {
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

  test('happens once, and a repeat gets the first answer', async () => {
    const before = await countDeals();
    const first = await send('once', deal());
    const again = await send('once', deal());
    expect(first.status).toBe(201);
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(await countDeals()).toBe(before + 1);
  });

  test('happens once also when ten come at the same moment', async () => {
    const before = await countDeals();
    const replies = await Promise.all(Array.from({ length: 10 }, () => send('together', deal())));
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.body._id}`)).size).toBe(1);
    expect(await countDeals()).toBe(before + 1);
  });

  test('is refused when the same key comes with another body', async () => {
    await send('body', deal());
    expect(await send('body', deal('Bob'))).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } });
  });

  test('leaves no key behind when it was refused, so that the corrected one can use it', async () => {
    expect((await send('fixed', { ...deal(), customerName: '' })).status).toBe(400);
    expect((await send('fixed', deal())).status).toBe(201);
  });

  test('is new again a day later', async () => {
    const first = await send('old', deal());
    await server.db
      .updateTable('idempotency_keys')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('key', '=', 'old')
      .execute();
    const second = await send('old', deal());
    expect(second.status).toBe(201);
    expect(second.body._id).not.toBe(first.body._id);
  });

  test('is not answered again to whom rights were taken since: the answer may hold what is hidden now', async () => {
    const clerk = await server.person({ permissions: { dataEntry: { canAddRows: true } } });
    expect((await send('rights', deal(), clerk.token)).status).toBe(201);
    const body = { dataEntry: { columnVisibility: { restrictedDealerships: [dealershipId] } } };
    await server.call(`PUT /permissions/user/${clerk.id}`, { token: admin.token, body });
    const again = await send('rights', deal(), clerk.token);
    expect(again).toMatchObject({ status: 409, body: { code: 'KEY_REUSED' } });
    expect(again.body.message).toMatch(/^This was saved/);
  });

  test('keeps keys of different people apart', async () => {
    const other = await server.person({ role: 'admin' });
    expect((await send('shared', deal())).status).toBe(201);
    const theirs = await send('shared', deal('Their own'), other.token);
    expect(theirs).toMatchObject({ status: 201, body: { customerName: 'Their own' } });
  });
});

test('openapi.json lists every call with its policy, and /api/docs shows it', async () => {
  const { body } = await server.call('GET /openapi.json');
  expect(body.openapi).toBe('3.1.0');
  expect(body.paths['/api/deals/{id}'].patch).toMatchObject({
    description: 'For: page dataEntry.',
    security: [{ session: [] }],
  });
  const docs = await server.app.inject({ url: '/api/docs/' });
  expect([200, 302]).toContain(docs.statusCode);
});
