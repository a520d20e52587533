import { api, type RouteKey } from '@forecourt/contract/api';
import type { RouteContract } from '@forecourt/contract/route';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../app.ts';
import { ABSENT_ID } from '../builders.ts';
import { expectations, openBodies, type Expectation } from './expectations.ts';
import { makePersonas } from './personas.ts';
import { createWorld } from './world.ts';

const server = await testApp();
const personas = await makePersonas(server);
const admin = personas.find(({ name }) => name === 'administrator')!;
const world = await createWorld(server, personas);
afterAll(async () => {
  await world.close();
  await server.close();
});

const routes = Object.entries(api) as [RouteKey, RouteContract][];
const expectationOf = (key: RouteKey) => (expectations as Partial<Record<RouteKey, Expectation>>)[key];
const bodyOf = (key: RouteKey): Record<string, unknown> =>
  ((openBodies as Record<string, () => object>)[key]?.() ??
    expectationOf(key)?.body?.(world.records) ??
    {}) as Record<string, unknown>;

/** Sends raw bytes as an administrator, so that only the input can be refused. */
async function send(
  key: RouteKey,
  payload: string,
  params?: Record<string, string>,
  type = 'application/json',
) {
  const [method, path] = key.split(' ') as ['POST', string];
  const ids = params ?? expectationOf(key)?.params?.(world.records) ?? {};
  const reply = await server.app.inject({
    method,
    url: `/api${path.replace(/:(\w+)/g, (_, name: string) => ids[name]!)}`,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': type },
    ...(method !== ('GET' as string) && { payload }),
  });
  return { status: reply.statusCode, body: reply.body === '' ? {} : reply.json() };
}

/** Returns a value of a different type. */
const otherThan = (value: unknown): unknown =>
  typeof value === 'object' ? 'wrong' : typeof value === 'string' ? { $ne: '' } : 'true';

describe('invalid input from an administrator', () => {
  test.each(routes.filter(([, { body }]) => body !== undefined).map(([key]) => key))(
    '%s returns 400 naming the field, and changes nothing',
    async (key) => {
      const good = bodyOf(key);
      const before = await world.digest();
      for (const payload of ['null', '[]', '"x"', '7', '{', JSON.stringify([good])])
        expect(await send(key, payload), payload).toMatchObject({ status: 400 });
      const poisoned = `{"__proto__":{"role":"admin"},${JSON.stringify(good).slice(1)}`;
      expect(await send(key, poisoned.replace(',}', '}'))).toMatchObject({ status: 400 });
      expect(await send(key, JSON.stringify({ ...good, surprise: 1 }))).toMatchObject({
        status: 400,
        body: { errors: { surprise: 'Unknown field' } },
      });
      for (const [field, value] of Object.entries(good)) {
        const { status, body } = await send(key, JSON.stringify({ ...good, [field]: otherThan(value) }));
        expect(status, field).toBe(400);
        expect(
          Object.keys(body.errors).some((path) => path.split('.')[0] === field),
          field,
        ).toBe(true);
      }
      expect(await world.digest()).toEqual(before);
    },
  );

  const part = (field: string): string =>
    `--b\r\ncontent-disposition: form-data; name="${field}"; filename="x.sql"\r\n\r\ncontent`;
  test.each(routes.flatMap(([key, { upload }]) => (upload === undefined ? [] : [[key, upload] as const])))(
    '%s returns 400 for a malformed multipart body, and changes nothing',
    async (key, field) => {
      const before = await world.digest();
      const cases = [
        ['multipart/form-data', `${part(field)}\r\n--b--\r\n`],
        ['multipart/form-data; boundary=', `${part(field)}\r\n--b--\r\n`],
        ['multipart/form-data; boundary=other', `${part(field)}\r\n--b--\r\n`],
        ['multipart/form-data; boundary=b', ''],
        ['multipart/form-data; boundary=b', '--b'],
        ['multipart/form-data; boundary=b', '--b--\r\n'],
        ['multipart/form-data; boundary=b', part(field)],
        ['multipart/form-data; boundary=b', part(field).slice(0, 30)],
        ['multipart/form-data; boundary=b', `--b\r\nno header\r\n\r\ncontent\r\n--b--\r\n`],
        ['multipart/form-data; boundary=b', `${part('other')}\r\n--b--\r\n`],
      ] as const;
      for (const [type, payload] of cases) {
        const reply = await send(key, payload, undefined, type);
        expect([reply.status, reply.body.code], `${type} ${payload}`).toEqual([400, 'INVALID_REQUEST']);
      }
      expect(await world.digest()).toEqual(before);
    },
  );

  test.each(routes.filter(([key]) => key.includes(':')).map(([key, { upload }]) => [key, upload] as const))(
    '%s returns the same response for a malformed id as for an unknown one',
    async (key, field) => {
      const before = await world.digest();
      const names = [...key.matchAll(/:(\w+)/g)].map(([, name]) => name!);
      const bodies = ["1'or'1", '__proto__', ABSENT_ID].map(async (id) => {
        const params = Object.fromEntries(names.map((name) => [name, encodeURIComponent(id)]));
        const { status, body } =
          field === undefined
            ? await send(key, JSON.stringify(bodyOf(key)), params)
            : await send(key, `${part(field)}\r\n--b--\r\n`, params, 'multipart/form-data; boundary=b');
        return [status, body.code, body.message];
      });
      const responses = await Promise.all(bodies);
      expect(responses).toEqual(responses.map(() => [404, 'NOT_FOUND', 'Resource not found']));
      expect(await world.digest()).toEqual(before);
    },
  );
});
