import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openGrid, useGridBrowser } from './grid-page.ts';

useGridBrowser();

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

test.each(['light', 'dark'])(
  'axe finds nothing in %s, with an editor and a refusal on screen',
  async (scheme) => {
    const { page, cell, press, type } = await openGrid(`rows=200&scheme=${scheme}`);
    await cell(1, 'Sale').click();
    await type('x');
    await press('Tab', 'Shift+Tab');
    await cell(3, 'Status').dblclick();
    await page.evaluate(axe);
    const violations = await page.evaluate(async () => {
      const { axe } = window as unknown as {
        axe: {
          run: (selector: string) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const result = await axe.run('.grid-root');
      return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    expect(violations).toEqual([]);
  },
);

test('the grid is one tab stop and exposes its size and position', async () => {
  const { page, grid, cell, press, active } = await openGrid();
  await page.getByRole('button', { name: 'Before' }).focus();
  await press('Tab');
  await expect.poll(() => active()).toMatchObject({ row: 1, header: 'Customer', text: 'Ava Nguyen' });
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('202');
  await expect.poll(() => grid.getAttribute('aria-colcount')).toBe('31');
  await expect.poll(() => cell(1, 'Owner').getAttribute('aria-readonly')).toBe('true');
  await expect.poll(() => cell(1, 'Customer').getAttribute('aria-selected')).toBe('true');
  await expect.poll(() => page.locator('.grid-root [tabindex], .grid-root input').count()).toBe(0);
});
