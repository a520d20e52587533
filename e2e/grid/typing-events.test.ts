import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const typingEvents = ({ page }: GridPage) => page.evaluate(() => window.page.typed);

test('each key reports the typed and the original text until the editor closes', async () => {
  const opened = await openGrid();
  const { cell, press, type } = opened;
  await cell(1, 'Deal no.').click();
  await type('D7');
  const typed = { key: 'row-1', columnId: 'dealNumber', before: 'D-1' };
  await expect
    .poll(() => typingEvents(opened))
    .toEqual([
      { ...typed, text: 'D' },
      { ...typed, text: 'D7' },
    ]);
  await press('Enter');
  await expect.poll(async () => (await typingEvents(opened)).slice(2)).toEqual([null]);
});

test('a text equal to the original reports nothing typed', async () => {
  const opened = await openGrid();
  const { cell, press } = opened;
  await cell(1, 'Deal no.').click();
  await press('F2', 'x', 'Backspace', 'Escape');
  await expect.poll(() => typingEvents(opened)).toMatchObject([{ text: 'D-1x' }, null, null]);
});
