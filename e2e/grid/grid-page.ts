import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { openPage, sharedBrowser, type OpenPage } from '../browser.ts';
import type { PageChange } from './page-controls.ts';

let open: OpenPage;

/** Opens one page for a test file; each test reloads it. */
export function useGridBrowser(): void {
  beforeAll(async () => {
    open = await openPage(await sharedBrowser(), { viewport: { width: 1300, height: 700 } });
  });
  afterEach(async () => {
    open.checkConsole();
    await open.page.evaluate(() => localStorage.clear());
  });
  afterAll(() => open.close());
}

export interface GridPage {
  readonly page: Page;
  readonly grid: Locator;
  /** The cell in a row (by number in the first sort order) and a column (by header in the first arrangement). */
  readonly cell: (row: number, header: string) => Locator;
  readonly header: (name: string) => Locator;
  readonly editor: Locator;
  /** The note beside the active cell. */
  readonly note: Locator;
  /** The changes that the grid has requested, oldest first. */
  readonly changes: () => Promise<PageChange[]>;
  /** Number of rendered cells with aria-selected. */
  readonly selectedCells: () => Promise<number>;
  /** The selected block as passed to the caller of the grid. */
  readonly selection: () => Promise<{ rows: number; columns: number; first: string | undefined } | null>;
  readonly press: (...keys: string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** The active cell as exposed to screen readers. */
  readonly active: () => Promise<{ row: number; header: string | undefined; text: string }>;
}

/** Loads the page with a grid of this many deals. */
export async function openGrid(query = 'rows=200'): Promise<GridPage> {
  const { page } = open;
  await page.goto(`${inject('gridUrl')}?${query}`);
  await page.locator('.grid-row').first().waitFor();
  const headers = await page.evaluate(() => window.page.headers);
  const grid = page.getByRole('grid', { name: 'Deals' });

  return {
    page,
    grid,
    cell: (row, header) =>
      grid
        .locator(`[aria-rowindex="${row + 1}"]`)
        .locator(`[role="gridcell"][aria-colindex="${headers.indexOf(header) + 2}"]`),
    header: (name) => page.getByRole('columnheader', { name }),
    editor: grid.locator('.grid-editor'),
    note: page.getByRole('tooltip'),
    changes: () => page.evaluate(() => window.page.changes),
    selectedCells: () => grid.locator('[role="gridcell"][aria-selected="true"]').count(),
    selection: () =>
      page.evaluate(() => {
        const { selected } = window.page;
        return (
          selected && {
            rows: selected.keys.length,
            columns: selected.columnIds.length,
            first: selected.keys[0],
          }
        );
      }),
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.type(text),
    async active() {
      const cell = await grid.evaluate((element) => {
        const found = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
        const row = Number(found?.closest('[aria-rowindex]')?.ariaRowIndex) - 1;
        return { row, column: Number(found?.ariaColIndex) - 2, text: found?.textContent ?? '' };
      });
      return { row: cell.row, header: headers[cell.column], text: cell.text };
    },
  };
}
