import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Company, Person } from './company.fixture.ts';
import { onePage } from './one-page.fixture.ts';

/** The columns in their initial order, after the check boxes. */
const HEADERS = [
  'Status',
  'Customer',
  'Phone',
  'Dealership',
  'Deal number',
  'Vehicle',
  'Items',
  'Sale',
  'Delivery',
  'Cost',
  'Gross profit',
  'Rate',
  'Commission',
  'Follow up',
  'Notes',
  'Owner',
  'Customer email',
  'Email',
] as const;
type Header = (typeof HEADERS)[number];

/** The permissions of a clerk who types rows. */
export const CLERK = { dataEntry: { canAddRows: true, canEditRows: true } };

/** The Data Entry screen of one user. */
export type DataEntry = {
  readonly page: Page;
  readonly grid: Locator;
  readonly editor: Locator;
  /** The note beside the active cell. */
  readonly note: Locator;
  /** The dialog of a conflict or a refusal. */
  readonly notice: Locator;
  /** The row of a customer. */
  readonly row: (customer: string) => Locator;
  readonly cell: (customer: string, header: Header) => Locator;
  /** Opens a cell's editor and replaces its text, without saving. */
  readonly typeInto: (customer: string, header: Header, text: string) => Promise<void>;
  /** Types each text, with Tab in between, at the speed of a fast typist. */
  readonly typeCells: (texts: readonly string[]) => Promise<void>;
  readonly press: (...keys: string[]) => Promise<void>;
  readonly saved: () => Promise<void>;
  /** Closes the page; throws if its console was not clean. */
  readonly close: () => Promise<void>;
};

/** Wide enough to render every column. */
export const WIDE = { viewport: { width: 3000, height: 900 } };

/** Opens the form of a new row on a phone, with what it needs to be saved; returns it. */
export async function openForm(page: Page, customer: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add deal' }).click();
  const form = page.getByRole('dialog', { name: 'Add deal' });
  await form.getByRole('textbox', { name: 'Customer', exact: true }).fill(customer);
  await form.getByRole('combobox', { name: 'Dealership' }).click();
  await page.getByRole('option', { name: 'Harbour New Cars' }).click();
  return form;
}

/** Edits a value where the page of a deal shows it. */
export async function editOnPage(page: Page, header: string, text: string, key = 'Enter'): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^Edit ${header}\\b`) }).click();
  await page.getByRole('region', { name: 'Details' }).getByLabel(header, { exact: true }).fill(text);
  await page.keyboard.press(key);
}

/** Milliseconds between two keys, faster than any typist. */
const KEY_MS = 5;

/**
 * Opens the screen in a new browser context of this user.
 * @param expected console messages that the test provokes
 */
export async function openDataEntry(
  company: Pick<Company, 'openAs' | 'server'>,
  browser: Browser,
  person: Pick<Person, 'token'>,
  options: { search?: string; context?: BrowserContextOptions; expected?: readonly RegExp[] } = {},
): Promise<DataEntry> {
  const { page, close } = await company.openAs(browser, person, options.context ?? WIDE, options.expected);
  await page.goto(`${company.server.url}/data-entry${options.search ?? ''}`);
  return dataEntryOn(page, close);
}

/** Returns a function that shows the screen of a user in one page of all tests that call it; see `onePage`. */
export function oneDataEntry(
  given: () => { company: Company; browser: Browser; person: Person; expected?: readonly RegExp[] },
): (search?: string) => Promise<DataEntry> {
  const show = onePage(() => {
    const { company, browser, person, expected } = given();
    return company.openAs(browser, person, WIDE, expected);
  });
  const stayOpen = () => Promise.resolve();
  return async (search = '') =>
    dataEntryOn(await show(`${given().company.server.url}/data-entry${search}`), stayOpen);
}

/** Returns the controls of a page that shows the screen. */
export function dataEntryOn(page: Page, close: () => Promise<void>): DataEntry {
  const grid = page.getByRole('grid', { name: 'Deals' });
  const editor = grid.locator('.grid-editor');
  const customerCell = (name: string) => page.getByRole('gridcell', { name, exact: true });
  const row = (customer: string) => grid.getByRole('row').filter({ has: customerCell(customer) });
  const cell = (customer: string, header: Header) =>
    row(customer).locator(`[aria-colindex="${HEADERS.indexOf(header) + 2}"]`);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    page,
    grid,
    editor,
    note: page.getByRole('tooltip').and(page.locator('.grid-note')),
    notice: page.getByRole('alert').filter({ has: page.getByRole('button') }),
    row,
    cell,
    async typeInto(customer, header, text) {
      await cell(customer, header).click();
      await page.keyboard.type(text);
    },
    async typeCells(texts) {
      for (const [index, text] of texts.entries()) {
        if (index > 0) await press('Tab');
        await page.keyboard.type(text, { delay: KEY_MS });
      }
    },
    press,
    saved: () => page.getByText('All changes saved').waitFor(),
    close,
  };
}

/** Returns the unsaved texts of a kind that the browser's storage keeps over a reload. */
export const storedDrafts = (
  page: Page,
  kind: 'deal' | 'deal-text' | 'deal-form' | 'deal-comment' | 'deal-comment-edit',
): Promise<Record<string, unknown>[]> =>
  page.evaluate(
    (wanted) =>
      new Promise<Record<string, unknown>[]>((resolve, reject) => {
        const opening = indexedDB.open('drafts');
        opening.addEventListener('error', () => reject(opening.error!));
        opening.addEventListener('success', () => {
          const db = opening.result;
          const range = IDBKeyRange.lowerBound([]);
          const reading = db.transaction('drafts').objectStore('drafts');
          const [keys, values] = [reading.getAllKeys(range), reading.getAll(range)];
          values.addEventListener('success', () => {
            db.close();
            const kinds = keys.result.map((key) => (key as string[])[1]);
            resolve(values.result.flatMap(({ content }, at) => (kinds[at] === wanted ? [content] : [])));
          });
        });
      }),
    kind,
  );
