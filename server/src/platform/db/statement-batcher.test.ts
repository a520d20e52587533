import { expect, test } from 'vitest';
import { createStatementBatcher } from './statement-batcher.ts';

type Item = { record: string; value: number };

/** Statements that the test settles. */
function world(options: { maxItems?: number } = {}) {
  const begun: { items: readonly Item[]; end: (error?: unknown) => void }[] = [];
  const write = createStatementBatcher<Item, number>(
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
  /** Resolves once all submitted items have been processed or queued. */
  const settled = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  return { begun, put, values, settled };
}

test('the statement batcher runs a single item at once, and batches items that arrive meanwhile', async () => {
  const { begun, put, values, settled } = world();
  const responses = Promise.all([1, 2, 3, 4, 5].map((value) => put(value)));
  expect(values()).toEqual([[1]]);
  begun[0]!.end();
  await settled();
  expect(values()).toEqual([[1], [2, 3, 4, 5]]);
  begun[1]!.end();
  expect(await responses).toEqual([10, 20, 30, 40, 50]);
});

test('the statement batcher batches items that arrive when a statement ends with those that waited', async () => {
  const { begun, put, values, settled } = world();
  void put(1);
  void put(2);
  begun[0]!.end();
  setImmediate(() => void put(3));
  await settled();
  expect(values()).toEqual([[1], [2, 3]]);
});

test('the statement batcher never batches two items of one record, and preserves their order', async () => {
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

test('the statement batcher runs other forms concurrently, and limits the size of a statement', async () => {
  const { begun, put, values, settled } = world({ maxItems: 2 });
  for (const value of [1, 2, 3, 4]) void put(value);
  void put(5, 'r5', 'g');
  expect(values()).toEqual([[1], [5]]);
  begun[0]!.end();
  await settled();
  expect(values()).toEqual([[1], [5], [2, 3]]);
});

test('the statement batcher retries the other items alone when one is rejected', async () => {
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

test('the statement batcher does not retry a statement that may have been committed', async () => {
  const { begun, put, values, settled } = world();
  void put(1);
  const both = Promise.allSettled([put(2), put(3)]);
  begun[0]!.end();
  await settled();
  begun[1]!.end(new Error('Connection terminated unexpectedly'));
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(values()).toEqual([[1], [2, 3]]);
});
