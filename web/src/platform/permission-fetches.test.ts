import { defaultRecord } from '@forecourt/contract/permissions';
import { describe, expect, test } from 'vitest';
import { ApiError } from './api-error.ts';
import { createPermissionFetches } from './permission-fetches.ts';
import { permissions } from './person.fixture.ts';

const KIM = '01900000-0000-7000-8000-000000000001';
const BOB = '01900000-0000-7000-8000-000000000002';

/** A server that counts what it is asked, and a clock that is set by hand. */
function setUp() {
  const clock = { now: 1000 };
  const asked: string[] = [];
  const server = { answer: async (id: string) => permissions({}, id) };
  const fetches = createPermissionFetches({
    ask: (id) => {
      asked.push(id);
      return server.answer(id);
    },
    now: () => clock.now,
  });
  return { clock, asked, server, fetches };
}

const failing = (status: number, code: ConstructorParameters<typeof ApiError>[2]) => async () => {
  throw new ApiError(status, 'refused', code);
};

describe('permission fetches', () => {
  test.each(['', 'undefined', 'me', '../users', `${KIM}/`])(
    '%j is no id and is not asked for',
    async (id) => {
      const { fetches, asked } = setUp();
      await expect(fetches.get(id)).rejects.toMatchObject({ status: 400, message: 'Invalid user ID' });
      expect(asked).toEqual([]);
    },
  );

  test('an answer holds for 60 s, for that person', async () => {
    const { fetches, asked, clock } = setUp();
    const first = await fetches.get(KIM);
    clock.now += 59_999;
    expect(await fetches.get(KIM)).toBe(first);
    await fetches.get(BOB);
    expect(asked).toEqual([KIM, BOB]);
    clock.now += 1;
    await fetches.get(KIM);
    expect(asked).toEqual([KIM, BOB, KIM]);
  });

  test('those who ask at once share a call', async () => {
    const { fetches, asked } = setUp();
    await Promise.all([fetches.get(KIM), fetches.get(KIM), fetches.get(KIM)]);
    expect(asked).toEqual([KIM]);
  });

  test('the sixth fetch of a person within 60 s is not sent', async () => {
    const { fetches, asked, server, clock } = setUp();
    server.answer = failing(500, 'SERVER_ERROR');
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(fetches.get(KIM)).rejects.toMatchObject({ status: 500 });
    }
    await expect(fetches.get(KIM)).rejects.toMatchObject({
      status: 429,
      message: 'Too many permission requests, please wait',
    });
    expect(asked).toHaveLength(5);
    await expect(fetches.get(BOB)).rejects.toMatchObject({ status: 500 });
    clock.now += 60_000;
    await expect(fetches.get(KIM)).rejects.toMatchObject({ status: 500 });
    expect(asked).toHaveLength(7);
  });

  test('somebody whom the server does not know has the defaults', async () => {
    const { fetches, server } = setUp();
    server.answer = failing(404, 'NOT_FOUND');
    expect(await fetches.get(KIM)).toMatchObject({ ...defaultRecord, userId: KIM, role: 'user' });
  });

  test.each([
    [403, 'INSUFFICIENT_PERMISSIONS'],
    [429, 'TOO_MANY_REQUESTS'],
    [500, 'SERVER_ERROR'],
    [0, 'NETWORK'],
  ] as const)('a %i gives nobody any right', async (status, code) => {
    const { fetches, server } = setUp();
    server.answer = failing(status, code);
    await expect(fetches.get(KIM)).rejects.toMatchObject({ status });
  });

  test('news that came while it was asked are newer than the answer', async () => {
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

  test('forgetting the records does not forget how often they were asked', async () => {
    const { fetches, asked } = setUp();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await fetches.get(KIM);
      fetches.clear();
    }
    await expect(fetches.get(KIM)).rejects.toMatchObject({ status: 429 });
    expect(asked).toHaveLength(5);
  });
});
