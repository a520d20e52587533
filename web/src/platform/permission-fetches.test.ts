import { defaultRecord } from '@forecourt/contract/permission-defaults';
import { describe, expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { createPermissionFetches } from './permission-fetches.ts';
import { permissions } from './person.fixture.ts';

const KIM = '01900000-0000-7000-8000-000000000001';
const BOB = '01900000-0000-7000-8000-000000000002';

/** A server that records its requests, and a clock that is set by hand. */
function setUp() {
  const clock = { now: 1_000_000 };
  const requested: string[] = [];
  const server = { answer: async (id: string) => permissions({}, id) };
  const fetches = createPermissionFetches({
    request: (id) => {
      requested.push(id);
      return server.answer(id);
    },
    now: () => clock.now,
  });
  return { clock, requested, server, fetches };
}

const failing = (status: number, code: ConstructorParameters<typeof ApiError>[2]) => async () => {
  throw new ApiError(status, 'refused', code);
};

describe('permission fetches', () => {
  test.each(['', 'undefined', 'me', '../users', `${KIM}/`])(
    'permissions of %j, which is no id, are not requested',
    async (id) => {
      const { fetches, requested } = setUp();
      await expect(fetches.get(id)).rejects.toMatchObject({ status: 400, message: 'Invalid user ID' });
      expect(requested).toEqual([]);
    },
  );

  test('a permission record is cached for 60 s, for its user', async () => {
    const { fetches, requested, clock } = setUp();
    const first = await fetches.get(KIM);
    clock.now += 59_999;
    expect(await fetches.get(KIM)).toBe(first);
    await fetches.get(BOB);
    expect(requested).toEqual([KIM, BOB]);
    clock.now += 1;
    expect(await fetches.get(KIM)).not.toBe(first);
    expect(requested).toEqual([KIM, BOB, KIM]);
  });

  test('concurrent fetches of permissions share a call', async () => {
    const { fetches, requested } = setUp();
    await Promise.all([fetches.get(KIM), fetches.get(KIM), fetches.get(KIM)]);
    expect(requested).toEqual([KIM]);
  });

  test('the sixth fetch of a user within 60 s is not sent', async () => {
    const { fetches, requested, server, clock } = setUp();
    server.answer = failing(500, 'SERVER_ERROR');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(fetches.get(KIM)).rejects.toMatchObject({ status: 500 });
    }
    await expect(fetches.get(KIM)).rejects.toMatchObject({
      status: 429,
      message: 'Too many permission requests, please wait',
    });
    expect(requested).toHaveLength(5);
    await expect(fetches.get(BOB)).rejects.toMatchObject({ status: 500 });
    clock.now += 60_000;
    await expect(fetches.get(KIM)).rejects.toMatchObject({ status: 500 });
    expect(requested).toHaveLength(7);
  });

  test('a user unknown to the server has the defaults', async () => {
    const { fetches, server } = setUp();
    server.answer = failing(404, 'NOT_FOUND');
    expect(await fetches.get(KIM)).toEqual({ ...defaultRecord, userId: KIM, role: 'user', version: 1 });
  });

  test.each([
    [403, 'INSUFFICIENT_PERMISSIONS'],
    [429, 'TOO_MANY_REQUESTS'],
    [500, 'SERVER_ERROR'],
    [0, 'NETWORK'],
  ] as const)(
    'a fetch of permissions rejects on status %i instead of returning a record',
    async (status, code) => {
      const { fetches, server } = setUp();
      server.answer = failing(status, code);
      await expect(fetches.get(KIM)).rejects.toMatchObject({ status });
    },
  );

  test('a record received during a request is newer than its response', async () => {
    const { fetches, server, clock } = setUp();
    const news = permissions({ pages: { dataEntry: false } });
    server.answer = async (id) => {
      clock.now += 5;
      fetches.put(news);
      return permissions({}, id);
    };
    expect(await fetches.get(KIM)).toBe(news);
    expect(await fetches.get(KIM)).toBe(news);
  });

  test('a fetch of permissions of two records of the same moment the last one is used', async () => {
    const { fetches } = setUp();
    await fetches.get(KIM);
    const news = permissions({ pages: { dataEntry: false } });
    fetches.put(news);
    expect(await fetches.get(KIM)).toBe(news);
  });

  test('clearing the records does not reset the rate limit', async () => {
    const { fetches, requested } = setUp();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await fetches.get(KIM);
      fetches.clear();
    }
    await expect(fetches.get(KIM)).rejects.toMatchObject({ status: 429 });
    expect(requested).toHaveLength(5);
  });
});
