import { beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { OrderedRows } from './OrderedRows.tsx';

const rowsOf = (names: string) => Array.from(names, (name) => ({ _id: name, name }));
const handle = (name: string) => document.querySelector(`[data-order-handle="${name}"]`)!;
const shown = () => [...document.querySelectorAll('td')].map(({ textContent }) => textContent).join('');

/** The saves that have begun, with the order of each. */
let saves: (PromiseWithResolvers<void> & { order: string })[];
beforeEach(() => {
  saves = [];
});

async function open() {
  const save = vi.fn<(ids: string[]) => Promise<void>>((ids) => {
    saves.push({ ...Promise.withResolvers<void>(), order: ids.join('') });
    return saves.at(-1)!.promise;
  });
  const table = (names: string) => (
    <OrderedRows rows={rowsOf(names)} save={save} failed="Failed">
      {(rows) => (
        <table>
          <tbody>
            {rows?.map(({ _id, name }) => (
              <tr key={_id}>
                <td data-order-handle={_id}>{name}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </OrderedRows>
  );
  const { rerender } = await render(table('ABC'));
  return (names: string) => rerender(table(names));
}

const pointer = (type: string, target: EventTarget, clientY = 0) =>
  target.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientY }));
const moveDown = (name: string) =>
  handle(name).dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, altKey: true, key: 'ArrowDown' }));
/** Moves the pointer above or below all rows. */
const moveTo = (end: 'top' | 'bottom') => pointer('pointermove', window, end === 'top' ? -1000 : 10_000);

test('a list that is ordered keeps the order of a drag while a save ends, and saves it after', async () => {
  const load = await open();
  moveDown('A');
  await expect.poll(shown).toBe('BAC');
  pointer('pointerdown', handle('C'));
  moveTo('top');
  await expect.poll(shown).toBe('CBA');
  saves[0]!.resolve();
  await load('BAC');
  expect(shown()).toBe('CBA');
  pointer('pointerup', window);
  await expect.poll(() => saves.map(({ order }) => order)).toEqual(['BAC', 'CBA']);
  expect(shown()).toBe('CBA');
  saves[1]!.resolve();
  await load('CBA');
  expect(shown()).toBe('CBA');
});

test('a list that is ordered shows the order of others after a drag that ended where it began, or was cancelled', async () => {
  const load = await open();
  for (const end of ['pointerup', 'pointercancel']) {
    pointer('pointerdown', handle('A'));
    moveTo('bottom');
    await expect.poll(shown).toBe('BCA');
    moveTo('top');
    await expect.poll(shown).toBe('ABC');
    pointer(end, window);
    await load('CBA');
    await expect.poll(shown).toBe('CBA');
    await load('ABC');
  }
  expect(saves).toEqual([]);
});

test('a list that is ordered keeps an order that is being saved after a cancelled drag', async () => {
  await open();
  moveDown('A');
  await expect.poll(shown).toBe('BAC');
  pointer('pointerdown', handle('C'));
  moveTo('top');
  await expect.poll(shown).toBe('CBA');
  pointer('pointercancel', window);
  await expect.poll(shown).toBe('BAC');
});
