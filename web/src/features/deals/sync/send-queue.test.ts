import { expect, it } from 'vitest';
import { createSendQueue, type Lane } from './send-queue.ts';

/** A queue whose requests end on demand. */
function setUp(concurrency: number, batchSize = 1) {
  const sent: string[] = [];
  const arrivals = new Map<string, () => void>();
  const send = (keys: readonly string[]): Promise<void> => {
    sent.push(keys.join('+'));
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const key of keys) arrivals.set(key, resolve);
    return promise;
  };
  const all = createSendQueue(send, batchSize, concurrency);
  const queue = {
    ...all,
    addAll: (rows: Parameters<typeof all.add>[0]) => all.add(rows),
    add: (key: string, lane: Lane) => all.add([[key, lane]]),
  };
  const arrive = async (key: string): Promise<void> => {
    arrivals.get(key)?.();
    await queue.whenSettled(key);
  };
  return { queue, sent, arrive };
}

it('limits the requests in flight, and sends the next row after each response', async () => {
  const { queue, sent, arrive } = setUp(2);
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key, 'change');
  expect(sent).toEqual(['a', 'b']);
  await arrive('b');
  expect(sent).toEqual(['a', 'b', 'c']);
});

it('the send queue sends typed rows first', async () => {
  const { queue, sent, arrive } = setUp(1);
  for (const key of ['a', 'b', 'c']) queue.add(key, 'change');
  queue.add('typed', 'typed');
  await arrive('a');
  await arrive('typed');
  expect(sent).toEqual(['a', 'typed', 'b']);
});

it('the send queue sends new rows sequentially, and changes in parallel with them', async () => {
  const { queue, sent, arrive } = setUp(3);
  for (const key of ['new 1', 'new 2', 'new 3']) queue.add(key, 'new');
  queue.add('change', 'change');
  expect(sent).toEqual(['new 1', 'change']);
  await arrive('change');
  expect(sent).toEqual(['new 1', 'change']);
  await arrive('new 1');
  await arrive('new 2');
  expect(sent).toEqual(['new 1', 'change', 'new 2', 'new 3']);
});

it('the send queue sends new rows in batches, in order, one request at a time', async () => {
  const { queue, sent, arrive } = setUp(3, 2);
  queue.addAll(['a', 'b', 'c', 'd', 'e'].map((key) => [key, 'new']));
  queue.add('typed', 'typed');
  expect(sent).toEqual(['a+b', 'typed']);
  queue.add('b', 'typed');
  await arrive('a');
  expect(sent).toEqual(['a+b', 'typed', 'b', 'c+d']);
  await arrive('c');
  expect(sent.at(-1)).toBe('e');
});

it('the send queue sends a row once at a time, and again if it was added meanwhile', async () => {
  const { queue, sent, arrive } = setUp(2);
  queue.add('a', 'change');
  queue.add('a', 'typed');
  queue.add('a', 'change');
  expect(sent).toEqual(['a']);
  await arrive('a');
  expect(sent).toEqual(['a', 'a']);
  await arrive('a');
  expect(sent).toEqual(['a', 'a']);
  queue.add('a', 'change');
  expect(sent).toEqual(['a', 'a', 'a']);
});

it('clears waiting rows, but not those in flight', async () => {
  const { queue, sent, arrive } = setUp(1);
  for (const key of ['a', 'b']) queue.add(key, 'change');
  queue.clear();
  await arrive('a');
  expect(sent).toEqual(['a']);
  queue.add('b', 'change');
  expect(sent).toEqual(['a', 'b']);
});

it('the send queue sends one change per request, also where new rows are batched', () => {
  const { queue, sent } = setUp(4, 10);
  queue.addAll(['a', 'b'].map((key) => [key, 'change']));
  queue.addAll(['c', 'd'].map((key) => [key, 'typed']));
  expect(sent).toEqual(['a', 'b', 'c', 'd']);
});

it('the send queue also clears a row that was to be sent again', async () => {
  const { queue, sent, arrive } = setUp(1);
  queue.add('a', 'change');
  queue.add('a', 'change');
  queue.add('b', 'change');
  queue.clear();
  await arrive('a');
  expect(sent).toEqual(['a']);
  await expect(queue.whenSettled('unknown')).resolves.toBeUndefined();
});
