import { DOT } from '@forecourt/server/test/images';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { hasKeys } from '../browser.ts';
import { DESKTOP, openCompany } from './company.fixture.ts';

const { company, browser } = await openCompany();
// A file that is no image returns 400, which the browser logs.
const open = await company.openAs(browser, company.admin, DESKTOP, [/status of 400/]);
const page = open.page;
afterAll(() => open.close());

const body = () => page.getByRole('textbox', { name: 'Message' });
/** Presses a tool by keyboard, as with the toolbar's own arrow keys. */
const tool = (name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true }).press('Enter');
/** The editor updates its toolbar shortly after a click moved the cursor. */
const toolbarShows = (name: string, pressed: boolean) =>
  page
    .getByRole('toolbar', { name: 'Formatting' })
    .getByRole('button', { name, exact: true, pressed })
    .waitFor();
const isInFrame = (is: boolean) => toolbarShows('Show only when a variable has a value', is);

/**
 * Chooses from a menu. The menu gets the focus shortly after it opens, and the editor a frame after the choice: earlier
 * keys would go elsewhere.
 */
async function choose(name: string): Promise<void> {
  const menu = page.getByRole('menu');
  await hasKeys(menu);
  await menu.getByRole('menuitem', { name }).press('Enter');
  await menu.waitFor({ state: 'detached' });
  await hasKeys(body());
}
const stored = async () => (await company.call(`GET /email-templates/${templateId}`)).body.document.blocks;
const text = (content: string) => ({ type: 'text', text: content });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
let templateId = '';

/** One growing template: each step uses the results of the previous one. */
describe('the body of a message, by keyboard', () => {
  let hasFailed = false;
  beforeEach(({ skip, onTestFailed }) => {
    skip(hasFailed, 'a step before failed');
    onTestFailed(() => {
      hasFailed = true;
    });
  });

  async function save() {
    await page.getByText('Unsaved changes').waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText('All changes saved').waitFor();
  }

  test('a block that is shown only if a variable has a value is written by keyboard', async () => {
    await page.goto(`${company.server.url}/email-templates/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Built');
    await page.getByRole('textbox', { name: 'Subject' }).fill('Built');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    for (const variable of ['Customer name', 'Vehicle'])
      await page.getByRole('menuitem', { name: variable }).click();
    await page.keyboard.press('Escape');
    await body().click();
    await page.keyboard.type('Hello');
    await page.keyboard.press('Enter');
    await page.keyboard.type('It is a ');
    await tool('Show only when a variable has a value');
    await choose('Customer name');
    await page.getByRole('group', { name: 'Shown only when Customer name has a value' }).waitFor();
    await page.keyboard.type('{{veh');
    await page.keyboard.press('Enter');
    // The frame's own button shows and changes the variable.
    await page.getByRole('button', { name: /^Shown only when Customer name/ }).press('Enter');
    await choose('Vehicle');
    await page.getByRole('group', { name: 'Shown only when Vehicle has a value' }).waitFor();
    // An empty line in the frame leaves it.
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Bye');
    await save();
    await page.waitForURL(/\/edit$/);
    templateId = /([0-9a-f-]{36})\/edit$/.exec(page.url())![1]!;
    await expect
      .poll(() => stored())
      .toEqual([
        paragraph(text('Hello')),
        {
          type: 'conditional',
          key: 'vehicle',
          blocks: [paragraph(text('It is a '), { type: 'variable', key: 'vehicle' })],
        },
        paragraph(text('Bye')),
      ]);
  });

  test('removing the condition keeps its content', async () => {
    await page.getByText('It is a').click();
    await isInFrame(true);
    await tool('Show only when a variable has a value');
    await choose('Always show');
    await page.getByRole('group', { name: /^Shown only when/ }).waitFor({ state: 'detached' });
    await page.keyboard.press('Control+z');
    await page.getByRole('group', { name: 'Shown only when Vehicle has a value' }).waitFor();
  });

  test('a button with a text and an address is written by keyboard', async () => {
    await page.getByText('Bye').click();
    await isInFrame(false);
    await page.keyboard.press('End');
    await tool('Button');
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('javascript:alert(1)');
    await address.press('Enter');
    await page.getByText('Only web, email and phone addresses can be linked').waitFor();
    await address.fill('example.com/offer');
    await address.press('Enter');
    await address.waitFor({ state: 'detached' });
    await hasKeys(body());
    await page.keyboard.type('See the offer');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Below');
    await save();
    await expect
      .poll(async () => (await stored()).slice(2))
      .toEqual([
        paragraph(text('Bye')),
        { type: 'button', href: 'https://example.com/offer', content: [text('See the offer')] },
        paragraph(text('Below')),
      ]);
  });

  test('a table is filled cell by cell with Tab', async () => {
    await tool('Table');
    await choose('Insert table');
    for (const cell of ['What', 'Price', 'Note', 'Tint', '$300']) {
      await page.keyboard.type(cell);
      await page.keyboard.press('Tab');
    }
    await tool('Table');
    await choose('Remove column');
    await tool('Table');
    await choose('Remove row');
    await tool('Table');
    await choose('Add row below');
    await page.keyboard.type('None');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Dash cam');
    await save();
    const cells = (...texts: string[]) => ({
      cells: texts.map((content) => ({ content: content === '' ? [] : [text(content)] })),
    });
    await expect
      .poll(async () => (await stored()).at(-1))
      .toEqual({
        type: 'table',
        hasHeader: true,
        rows: [cells('What', 'Price'), cells('', 'None'), cells('Dash cam', '')],
      });
  });

  test('an image from a file is inserted by keyboard, and the preview shows it without a request', async () => {
    // The cursor is in the table, whose cells contain only text.
    await tool('Image');
    const dialog = page.getByRole('dialog').filter({ hasText: 'What it shows' });
    await hasKeys(dialog);
    await dialog.getByRole('button', { name: 'Insert image' }).press('Enter');
    await dialog.getByText('Choose an image first').waitFor();
    const choose = async (content: Buffer) => {
      const chooser = page.waitForEvent('filechooser');
      await dialog.getByRole('button').first().press('Enter');
      await (await chooser).setFiles({ name: 'logo.png', mimeType: 'image/png', buffer: content });
    };
    await choose(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await dialog.getByRole('textbox', { name: 'What it shows' }).fill('Our logo');
    await page.keyboard.press('Enter');
    await dialog.getByText('Must be a PNG, JPEG or GIF image').waitFor();
    await choose(DOT);
    await dialog.getByRole('textbox', { name: 'What it shows' }).press('Enter');
    await body().getByRole('img', { name: 'Our logo' }).waitFor();
    await dialog.waitFor({ state: 'detached' });
    await body().getByRole('img', { name: 'Our logo' }).click();
    await toolbarShows('Image', true);
    await tool('Image');
    await dialog.getByRole('textbox', { name: 'Width in pixels' }).fill('120');
    await dialog.getByRole('textbox', { name: 'Width in pixels' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await save();
    await expect
      .poll(async () => (await stored()).slice(-2))
      .toMatchObject([
        { type: 'table', rows: [{}, {}, {}] },
        { type: 'image', alt: 'Our logo', width: 120 },
      ]);

    await page.getByText('Preview', { exact: true }).click();
    const message = page.frameLocator('iframe');
    const image = message.getByRole('img', { name: 'Our logo' });
    await image.waitFor();
    await expect.poll(() => image.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
    await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1);
    await expect
      .poll(() => message.getByRole('link', { name: 'See the offer' }).getAttribute('href'))
      .toBe('https://example.com/offer');
  });

  type TestFile = { name: string; type?: string; content: Buffer };

  /** Pastes or drops files, optionally with text that another program has copied with them. */
  async function insert(how: 'paste' | 'drop', files: TestFile[], text?: string): Promise<void> {
    const data = await page.evaluateHandle(
      ({ files, text }) => {
        const transfer = new DataTransfer();
        for (const { name, type, bytes } of files)
          transfer.items.add(new File([new Uint8Array(bytes)], name, { type }));
        if (text !== undefined) transfer.setData('text/plain', text);
        return transfer;
      },
      {
        files: files.map(({ name, type = 'image/png', content }) => ({ name, type, bytes: [...content] })),
        text,
      },
    );
    await body()
      .getByText('Dash cam')
      .evaluate(
        (cell, { how, data }) => {
          const { x, y } = cell.getBoundingClientRect();
          const usual = { bubbles: true, cancelable: true, clientX: x + 5, clientY: y + 5 };
          const event =
            how === 'drop'
              ? new DragEvent('drop', { ...usual, dataTransfer: data })
              : new ClipboardEvent('paste', { ...usual, clipboardData: data });
          cell.dispatchEvent(event);
        },
        { how, data },
      );
  }

  test('pasted and dropped images keep their order; other files show an error', async () => {
    await page.getByText('Write', { exact: true }).click();
    await body().getByText('Dash cam').click();
    const released = Promise.withResolvers<void>();
    await page.route('**/api/email-templates/images', async (route) => {
      await released.promise;
      await route.continue();
    });
    const images = [
      { name: 'front_left.png', content: DOT },
      { name: 'rear.png', content: DOT },
    ];
    await insert('paste', images);
    await body().getByRole('progressbar', { name: 'Uploading front_left.png' }).waitFor();
    // Text typed meanwhile stays.
    await page.keyboard.type('!');
    released.resolve();
    await body().getByRole('img', { name: 'front left' }).waitFor();
    await body().getByRole('img', { name: 'rear' }).waitFor();
    await body().getByRole('progressbar').first().waitFor({ state: 'detached' });
    await page.unroute('**/api/email-templates/images');

    await insert('drop', [
      { name: 'offer.pdf', type: 'application/pdf', content: DOT },
      { name: 'cut.png', content: DOT.subarray(0, -1) },
    ]);
    await page.getByText('offer.pdf was not added. PNG, JPEG or GIF, at most 2 MB').waitFor();
    await page.getByText('cut.png was not added. This image is damaged.').waitFor();
    // A spreadsheet also copies an image of its cells.
    await insert('paste', [{ name: 'cells.png', content: DOT }], ' new');
    await body().getByText('Dash cam! new').waitFor();
    await save();
    await expect
      .poll(async () => (await stored()).slice(-4))
      .toMatchObject([
        { type: 'table' },
        { type: 'image', alt: 'front left', width: 16 },
        { type: 'image', alt: 'rear' },
        { type: 'image', alt: 'Our logo' },
      ]);
  });
});
