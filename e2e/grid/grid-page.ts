import type { Locator, Page } from 'playwright-core';
import { afterEach, inject, onTestFinished } from 'vitest';
import { openPage, sharedBrowser, type OpenPage } from '../browser.ts';
import type { PageChange } from './page-controls.ts';
import { copyElsewhere } from './spreadsheets.fixture.ts';

/** One page for the tests of this worker. Loading it costs more than a test. */
let open: OpenPage | undefined;
/** Whether the next test may use it: the test before it passed and its state is reset. */
let isReset = false;

/** Resets the page after each test of the file. The page of a failed test is not used again. */
export function useGridBrowser(): void {
  afterEach(async ({ task }) => {
    if (!open) return;
    open.checkConsole();
    if (task.result?.state === 'fail') return;
    await reset(open.page);
    open.checkConsole();
    isReset = true;
  });
}

/** Unmounts the grid and resets what it and the test changed in the browser. */
async function reset(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.page.leave();
    localStorage.clear();
    window.scrollTo(0, 0);
    getSelection()?.removeAllRanges();
    // Tab continues from the position of the last focus or click, also without the element.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute('tabindex');
  });
  for (const key of ['Shift', 'Control', 'Alt', 'Meta']) await page.keyboard.up(key);
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await copyElsewhere(page, { text: '' });
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

/** Mounts a new grid in the worker's page. After a test that failed, or after which the page hung, the page is new too. */
export async function openGrid(query = 'rows=200'): Promise<GridPage> {
  if (!isReset) {
    await open?.page.context().close();
    open = undefined;
  }
  isReset = false;
  if (open) await open.page.evaluate((options) => window.page.mount(options), query);
  else open = await loadPage(query);
  return createGridPage(open.page);
}

/** Loads a grid in a page of its own, which the test may reload. */
export async function loadGrid(): Promise<GridPage> {
  const own = await loadPage('rows=200');
  onTestFinished(own.close);
  return createGridPage(own.page);
}

async function loadPage(query: string): Promise<OpenPage> {
  const loaded = await openPage(await sharedBrowser(), { viewport: { width: 1300, height: 700 } });
  await loaded.page.goto(`${inject('gridUrl')}?${query}`);
  return loaded;
}

async function createGridPage(page: Page): Promise<GridPage> {
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
