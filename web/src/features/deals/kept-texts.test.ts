import { expect, it } from 'vitest';
import { createKeptTexts, type KeptText } from './kept-texts.ts';

const typing = {
  rowKey: 'k',
  dealId: null,
  month: '2026-11',
  field: 'notes',
  text: 'Half a no',
  before: null,
} as const;

/** Pages of one browser, whose timers run when told to. */
function browser() {
  const stored = new Map<string, KeptText>();
  const timers: (() => void)[] = [];
  const offered: KeptText[] = [];
  const count = { writes: 0, forgets: 0 };
  let keys = 0;
  const page = (open: readonly string[] = []) =>
    createKeptTexts({
      texts: {
        all: () => Promise.resolve([...stored.values()]),
        keep(texts) {
          count.writes += 1;
          return Promise.resolve(texts.forEach((text) => stored.set(text.key, text)));
        },
        forget(ids) {
          count.forgets += 1;
          return Promise.resolve(ids.forEach((id) => stored.delete(id)));
        },
      },
      newKey: () => `key-${(keys += 1)}`,
      later(run) {
        timers.push(run);
        return () => timers.splice(timers.indexOf(run), 1);
      },
      openElsewhere: () => Promise.resolve(new Set(open)),
      offer: (left) => Promise.resolve(void offered.push(left)),
    });
  const pass = (): void => timers.splice(0).forEach((run) => run());
  return { page, pass, stored, offered, timers, count };
}

it('keeps what is typed once in a while, and never waits for it with a key', () => {
  const { page, pass, stored, timers, count } = browser();
  const texts = page();
  texts.type(typing);
  texts.type({ ...typing, text: 'Half a not' });
  expect(count.writes).toBe(0);
  expect(timers).toHaveLength(1);
  pass();
  expect([...stored.values()]).toMatchObject([{ rowKey: 'k', text: 'Half a not' }]);
  texts.type({ ...typing, text: 'Half a note' });
  pass();
  expect(count.writes).toBe(2);
  expect([...stored.values()]).toMatchObject([{ text: 'Half a note' }]);
});

it('forgets what is committed or given up, and stores nothing of what was so before', () => {
  const { page, pass, stored, count } = browser();
  const texts = page();
  texts.type(typing);
  texts.type(null);
  pass();
  expect(count).toEqual({ writes: 0, forgets: 0 });
  texts.type(typing);
  pass();
  texts.type(null);
  expect(stored.size).toBe(0);
  expect(texts.openHere()).toBeNull();
});

it('offers what a page has left, once', async () => {
  const { page, pass, stored, offered } = browser();
  page().type(typing);
  pass();
  await page().restore();
  expect(offered).toMatchObject([typing]);
  expect(stored.size).toBe(0);
  await page().restore();
  expect(offered).toHaveLength(1);
});

it('leaves alone what is typed here or in a page that is open elsewhere', async () => {
  const { page, pass, stored, offered } = browser();
  const first = page();
  first.type(typing);
  pass();
  await page([first.openHere()!]).restore();
  await first.restore();
  expect(offered).toEqual([]);
  expect(stored.size).toBe(1);
});

it('knows a row by the id that it got while somebody typed in it', () => {
  const { page, pass, stored } = browser();
  const texts = page();
  texts.type(typing);
  pass();
  texts.saved('another', 'd2');
  texts.saved('k', 'd1');
  expect([...stored.values()]).toMatchObject([{ rowKey: 'k', dealId: 'd1' }]);
});
