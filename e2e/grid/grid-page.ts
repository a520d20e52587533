import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { launchBrowser, openPage, type OpenPage } from '../browser.ts';
import type { PageChange } from './page-controls.ts';

let browser: Browser;
let open: OpenPage;

/** One page for a test file, in the browser that all files share; each test loads it afresh. */
export function useGridBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.connect(inject('gridBrowser'));
    open = await openPage(browser, { viewport: { width: 1300, height: 700 } });
  });
  finish();
}

export interface GridPage {
  readonly page: Page;
  readonly grid: Locator;
  /** A cell by the number of its row, as first sorted, and the header of its column, as first arranged. */
  readonly cell: (row: number, header: string) => Locator;
  readonly header: (name: string) => Locator;
  readonly editor: Locator;
  /** What is said beside the active cell. */
  readonly note: Locator;
  /** What the grid has asked for, oldest first. */
  readonly changes: () => Promise<PageChange[]>;
  /** The block as a screen reader is told: how many cells say that they are selected, of those in the page. */
  readonly selectedCells: () => Promise<number>;
  /** Which block is selected, as the caller of the grid is told. */
  readonly selection: () => Promise<{ rows: number; columns: number; first: string | undefined } | null>;
  readonly press: (...keys: string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** The active cell, as a screen reader is told. */
  readonly active: () => Promise<{ row: number; header: string | undefined; text: string }>;
}

/**
 * The same in a browser of the file's own: a browser has one clipboard, and whoever uses it must not be disturbed.
 */
export function useClipboardBrowser(): void {
  beforeAll(async () => {
    browser = await launchBrowser();
    open = await openPage(browser, { viewport: { width: 1300, height: 700 } });
  });
  finish();
}

function finish(): void {
  afterEach(async () => {
    open.checkConsole();
    await open.page.evaluate(() => localStorage.clear());
  });
  afterAll(async () => {
    await open.close();
    await browser.close();
  });
}

/** Loads the page with a grid of that many deals. */
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
