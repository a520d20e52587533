import { expect, test } from 'vitest';
import { createTogether } from './together.ts';

type Item = { record: string; value: number };

/** Statements that end when the test says so. */
function world(options: { most?: number } = {}) {
  const begun: { items: readonly Item[]; end: (error?: unknown) => void }[] = [];
  const write = createTogether<Item, number>(
    (items) =>
      new Promise((resolve, reject) =>
        begun.push({
          items,
          end: (error) => (error ? reject(error as Error) : resolve(items.map(({ value }) => value * 10))),
        }),
      ),
    { recordOf: ({ record }) => record, ...options },
  );
  const put = (value: number, record = `r${value}`, form = 'f') => write(form, { record, value });
  const values = () => begun.map(({ items }) => items.map(({ value }) => value));
  /** Until whoever has come is on the way. */
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  return { begun, put, values, settled };
}

test('who comes alone goes at once; who comes meanwhile goes together', async () => {
  const { begun, put, values, settled } = world();
  const answers = Promise.all([1, 2, 3, 4, 5].map((value) => put(value)));
  expect(values()).toEqual([[1]]);
  begun[0]!.end();
  await settled();
  expect(values()).toEqual([[1], [2, 3, 4, 5]]);
  begun[1]!.end();
  expect(await answers).toEqual([10, 20, 30, 40, 50]);
});

test('who comes in the moment in which one ends goes with those who waited', async () => {
  const { begun, put, values, settled } = world();
  void put(1);
  void put(2);
  begun[0]!.end();
  setImmediate(() => void put(3));
  await settled();
  expect(values()).toEqual([[1], [2, 3]]);
});

test('two of one record never go together, and keep their order', async () => {
  const { begun, put, values, settled } = world();
  void put(1);
  void put(2, 'same');
  void put(3, 'same');
  void put(4);
  begun[0]!.end();
  await settled();
  expect(values()).toEqual([[1], [2, 4]]);
  begun[1]!.end();
  await settled();
  expect(values()).toEqual([[1], [2, 4], [3]]);
});

test('other forms do not wait, and no statement takes more than it may', async () => {
  const { begun, put, values, settled } = world({ most: 2 });
  for (const value of [1, 2, 3, 4]) void put(value);
  void put(5, 'r5', 'g');
  expect(values()).toEqual([[1], [5]]);
  begun[0]!.end();
  await settled();
  expect(values()).toEqual([[1], [5], [2, 3]]);
});

test('one that is refused does not take others with it', async () => {
  const { begun, put, values, settled } = world();
  void put(1);
  const [two, three] = [put(2), put(3)];
  const refused = three.catch((error: unknown) => error);
  begun[0]!.end();
  await settled();
  begun[1]!.end({ code: '23514' });
  await settled();
  begun[2]!.end();
  await settled();
  begun[3]!.end({ code: '23514' });
  expect(await two).toBe(20);
  expect(await refused).toEqual({ code: '23514' });
  expect(values()).toEqual([[1], [2, 3], [2], [3]]);
});

test('what may have been written is not written again', async () => {
  const { begun, put, values, settled } = world();
  void put(1);
  const both = Promise.allSettled([put(2), put(3)]);
  begun[0]!.end();
  await settled();
  begun[1]!.end(new Error('Connection terminated unexpectedly'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(values()).toEqual([[1], [2, 3]]);
});
