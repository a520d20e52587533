import { expect, it } from 'vitest';
import { createSendQueue, type Lane } from './send-queue.ts';

/** A queue whose rows arrive when told to. */
function setUp(atOnce: number, together = 1) {
  const sent: string[] = [];
  const arrivals = new Map<string, () => void>();
  const send = (keys: readonly string[]): Promise<void> => {
    sent.push(keys.join('+'));
    const { promise, resolve } = Promise.withResolvers<void>();
    for (const key of keys) arrivals.set(key, resolve);
    return promise;
  };
  const { add, clear, settled } = createSendQueue(send, together, atOnce);
  const queue = { clear, settled, add: (key: string, lane: Lane) => add([[key, lane]]), addAll: add };
  const arrive = async (key: string): Promise<void> => {
    arrivals.get(key)?.();
    await queue.settled(key);
  };
  return { queue, sent, arrive };
}

it('sends so many at once, and the next one for each that arrives', async () => {
  const { queue, sent, arrive } = setUp(2);
  for (const key of ['a', 'b', 'c', 'd']) queue.add(key, 'change');
  expect(sent).toEqual(['a', 'b']);
  await arrive('b');
  expect(sent).toEqual(['a', 'b', 'c']);
});

it('sends what is urgent before all that wait', async () => {
  const { queue, sent, arrive } = setUp(1);
  for (const key of ['a', 'b', 'c']) queue.add(key, 'change');
  queue.add('typed', 'typed');
  await arrive('a');
  await arrive('typed');
  expect(sent).toEqual(['a', 'typed', 'b']);
});

it('sends new rows one after the other, and changes beside them', async () => {
  const { queue, sent, arrive } = setUp(3);
  for (const key of ['new 1', 'new 2', 'new 3']) queue.add(key, 'new');
  queue.add('change', 'change');
  expect(sent).toEqual(['new 1', 'change']);
  await arrive('new 1');
  await arrive('new 2');
  expect(sent).toEqual(['new 1', 'change', 'new 2', 'new 3']);
});

it('sends many new rows in one request, in their order, and one request after the other', async () => {
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

it('has a row under way once, and sends it again when that was asked for meanwhile', async () => {
  const { queue, sent, arrive } = setUp(2);
  queue.add('a', 'change');
  queue.add('a', 'typed');
  queue.add('a', 'change');
  expect(sent).toEqual(['a']);
  await arrive('a');
  expect(sent).toEqual(['a', 'a']);
  await arrive('a');
  expect(sent).toEqual(['a', 'a']);
});

it('forgets who waits, and not who is on the way', async () => {
  const { queue, sent, arrive } = setUp(1);
  for (const key of ['a', 'b']) queue.add(key, 'change');
  queue.clear();
  await arrive('a');
  expect(sent).toEqual(['a']);
  queue.add('b', 'change');
  expect(sent).toEqual(['a', 'b']);
});
