import { openDB } from 'idb';
import { afterEach, expect, test, vi } from 'vitest';
import { draftsOf, unstoredDrafts } from './drafts.ts';

type Draft = { key: string; text: string };
const kim = draftsOf<Draft>('kim', 'deal');
const bob = draftsOf<Draft>('bob', 'deal');
const editors = draftsOf<Draft>('kim', 'deal-text');

/** How long a page waits for the answer to a warning, in milliseconds: less than anybody needs to answer it. */
const WARNING_MS = 100;

const ignore = (): void => undefined;

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const drafts of [kim, bob, editors]) await drafts.delete((await drafts.all()).map(({ key }) => key));
});

/** The drafts that another page of this browser reads. */
async function storedKeys(): Promise<unknown[]> {
  const db = await openDB('drafts');
  const keys = await db.getAllKeys('drafts');
  db.close();
  return keys;
}

test('drafts are stored by user and kind, the newest of each key', async () => {
  await kim.save([
    { key: 'd1', text: 'a' },
    { key: 'd2', text: 'b' },
  ]);
  await kim.save([{ key: 'd1', text: 'newer' }]);
  await bob.save([{ key: 'd1', text: 'of Bob' }]);
  await editors.save([{ key: 'd1', text: 'half a word' }]);
  expect(await kim.all()).toEqual([
    { key: 'd1', text: 'newer' },
    { key: 'd2', text: 'b' },
  ]);
  expect(await bob.all()).toEqual([{ key: 'd1', text: 'of Bob' }]);
  expect(await editors.all()).toEqual([{ key: 'd1', text: 'half a word' }]);
  expect(await storedKeys()).toHaveLength(4);
  await kim.delete(['d1', 'unknown']);
  expect(await kim.all()).toEqual([{ key: 'd2', text: 'b' }]);
  expect(await bob.all()).toHaveLength(1);
  expect(await editors.all()).toHaveLength(1);
});

/** Saves drafts in a page of its own, which is then left: it only waits for the answer to the browser's warning. */
async function saveAndLeave(drafts: readonly Draft[]): Promise<void> {
  const frame = document.createElement('iframe');
  const module = JSON.stringify(new URL('./drafts.ts', import.meta.url).href);
  frame.srcdoc = `<script type="module">
    import { draftsOf } from ${module};
    window.drafts = draftsOf('kim', 'deal');
    await window.drafts.all();
    // Not within the read, which would hold its transaction open.
    setTimeout(() => parent.dispatchEvent(new Event('ready')));
  </script>`;
  const ready = new Promise((resolve) => window.addEventListener('ready', resolve, { once: true }));
  document.body.append(frame);
  await ready;
  const page = frame.contentWindow as unknown as { drafts: typeof kim };
  void page.drafts.save(drafts);
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  // Nothing runs in a page while the browser asks, so it does not hear that its text was written.
  const asked = performance.now();
  while (performance.now() - asked < WARNING_MS);
  frame.remove();
}

test('a draft is stored although its page was left before it knew that', async () => {
  await saveAndLeave([{ key: 'd1', text: 'a' }]);
  expect(await kim.all()).toEqual([{ key: 'd1', text: 'a' }]);
});

test('drafts that do not fit are counted, and stored once there is space', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('No room', 'QuotaExceededError');
  });
  await expect(kim.save([{ key: 'd1', text: 'a' }])).rejects.toThrow('No room');
  await expect(bob.save([{ key: 'd1', text: 'b' }])).rejects.toThrow('No room');
  expect(unstoredDrafts.get()).toBe(2);
  // Another tab has newer versions of these and stores them.
  bob.release(['d1']);
  expect(unstoredDrafts.get()).toBe(1);
  put.mockRestore();
  vi.advanceTimersByTime(10_000);
  await vi.waitUntil(() => unstoredDrafts.get() === 0);
  expect(await kim.all()).toEqual([{ key: 'd1', text: 'a' }]);
  expect(await bob.all()).toEqual([]);
});

test('drafts of which one cannot be stored are stored as far as possible', async () => {
  // A function cannot be stored.
  const unstorable = { key: 'd2', text: ignore as never };
  await expect(kim.save([{ key: 'd1', text: 'a' }, unstorable])).rejects.toThrow('could not be cloned');
  expect(await kim.all()).toEqual([{ key: 'd1', text: 'a' }]);
  expect(unstoredDrafts.get()).toBe(1);
  await kim.delete(['d2']);
  expect(unstoredDrafts.get()).toBe(0);
});
