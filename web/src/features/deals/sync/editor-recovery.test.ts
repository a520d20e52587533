import { expect, it } from 'vitest';
import type { Drafts } from '../../../platform/drafts.ts';
import { createEditorRecovery, type EditorText } from './editor-recovery.ts';

const typing = {
  rowKey: 'k',
  dealId: null,
  month: '2026-11',
  field: 'notes',
  text: 'Half a no',
  before: null,
} as const;

/** Pages of one browser with timers that run on demand. */
function browser() {
  const stored = new Map<string, EditorText>();
  const timers: (() => void)[] = [];
  const offered: EditorText[] = [];
  const count = { writes: 0, deletions: 0, questions: 0 };
  let keys = 0;
  const page = (open: readonly string[] = [], storage: Partial<Drafts<EditorText>> = {}) =>
    createEditorRecovery({
      texts: {
        all: () => Promise.resolve([...stored.values()]),
        save(texts) {
          count.writes += 1;
          return Promise.resolve(texts.forEach((text) => stored.set(text.key, text)));
        },
        delete(ids) {
          count.deletions += 1;
          return Promise.resolve(ids.forEach((id) => stored.delete(id)));
        },
        release: () => undefined,
        ...storage,
      },
      newKey: () => `key-${(keys += 1)}`,
      later(run) {
        timers.push(run);
        return () => timers.splice(timers.indexOf(run), 1);
      },
      findOpenElsewhere() {
        count.questions += 1;
        return Promise.resolve(new Set(open));
      },
      offer: (left) => Promise.resolve(void offered.push(left)),
    });
  const pass = (): void => timers.splice(0).forEach((run) => run());
  return { page, pass, stored, offered, timers, count };
}

it('throttles storing, and never stores during a keystroke', () => {
  const { page, pass, stored, timers, count } = browser();
  const recovery = page();
  recovery.type(typing);
  recovery.type({ ...typing, text: 'Half a not' });
  expect(count.writes).toBe(0);
  expect(timers).toHaveLength(1);
  pass();
  const [first] = stored.values();
  expect(first).toMatchObject({ rowKey: 'k', text: 'Half a not', createKey: expect.any(String) });
  recovery.type({ ...typing, text: 'Half a note' });
  pass();
  expect(count.writes).toBe(2);
  expect([...stored.values()]).toEqual([{ ...first, text: 'Half a note' }]);
});

it('editor recovery deletes a committed or discarded text, and stores nothing if none was stored', () => {
  const { page, pass, stored, count } = browser();
  const recovery = page();
  recovery.type(typing);
  recovery.type(null);
  pass();
  expect(count).toMatchObject({ writes: 0, deletions: 0 });
  recovery.type(typing);
  pass();
  recovery.type(null);
  expect(stored.size).toBe(0);
  expect(recovery.getOpenPage()).toBeNull();
  recovery.type(typing);
  recovery.type(null);
  expect(count.deletions).toBe(1);
});

it("editor recovery restores a closed page's text once", async () => {
  const { page, pass, stored, offered } = browser();
  page().type(typing);
  pass();
  await page().restore();
  expect(offered).toMatchObject([typing]);
  expect(stored.size).toBe(0);
  await page().restore();
  expect(offered).toHaveLength(1);
});

it('editor recovery ignores texts of this page and of pages that are open elsewhere', async () => {
  const { page, pass, stored, offered } = browser();
  const first = page();
  first.type(typing);
  pass();
  await page([first.getOpenPage()!]).restore();
  await first.restore();
  expect(offered).toEqual([]);
  expect(stored.size).toBe(1);
});

it('editor recovery uses the id that a new row got while its cell was being edited', () => {
  const { page, pass, stored, count } = browser();
  const recovery = page();
  recovery.setDealId('k', 'd0');
  recovery.type(typing);
  pass();
  recovery.setDealId('k', 'd1');
  for (const key of ['another', 'k']) recovery.setDealId(key, 'd2');
  expect([...stored.values()]).toMatchObject([{ rowKey: 'k', dealId: 'd1' }]);
  expect(count.writes).toBe(2);
});

it('editor recovery does not store a text earlier because its row got an id', () => {
  const { page, pass, stored, count } = browser();
  const recovery = page();
  recovery.type(typing);
  recovery.setDealId('k', 'd1');
  expect(count.writes).toBe(0);
  pass();
  expect([...stored.values()]).toMatchObject([{ dealId: 'd1' }]);
});

it('asks no other page where nothing is stored, and restores nothing where storage fails', async () => {
  const { page, offered, count } = browser();
  await page().restore();
  expect(count.questions).toBe(0);
  const all = () => Promise.reject(new Error('No storage'));
  await page([], { all }).restore();
  expect([offered, count.questions]).toEqual([[], 0]);
});
