import { expect, test } from 'vitest';
import { openGrid, useGridBrowser, type GridPage } from './grid-page.ts';

useGridBrowser();

const told = ({ page }: GridPage) => page.evaluate(() => window.page.typed);

test('what is typed is told with each key, with what was there, until the editor closes', async () => {
  const opened = await openGrid();
  const { cell, press, type } = opened;
  await cell(1, 'Deal no.').click();
  await type('D7');
  const typed = { key: 'row-1', columnId: 'dealNumber', before: 'D-1' };
  expect(await told(opened)).toEqual([
    { ...typed, text: 'D' },
    { ...typed, text: 'D7' },
  ]);
  await press('Enter');
  expect((await told(opened)).slice(2)).toEqual([null]);
});

test('a text that is again what the editor began with is nothing typed', async () => {
  const opened = await openGrid();
  const { cell, press } = opened;
  await cell(1, 'Deal no.').click();
  await press('F2', 'x', 'Backspace', 'Escape');
  expect(await told(opened)).toMatchObject([{ text: 'D-1x' }, null, null]);
});
