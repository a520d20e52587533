import type { Page } from 'playwright-core';
import { afterAll, afterEach } from 'vitest';
import { closeToasts, follow, type OpenPage } from '../browser.ts';

/**
 * Mounts a screen anew in an open page, without toasts and stored layouts, because a load costs more than most tests.
 * Unsaved rows stay, and so do lists that no event concerns.
 */
async function mountAnew(page: Page, url: string): Promise<void> {
  await follow(page, '/no/such/page');
  await page.getByText('Page not found').waitFor();
  await page.mouse.move(0, 0);
  await closeToasts(page);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key !== 'token') localStorage.removeItem(key);
  });
  await follow(page, url);
}

/**
 * Returns a function that shows a screen in one page of all tests that call it, mounted anew for each. Live events keep
 * its lists up to date, but what a test changes just before may come later: it waits until the screen has it. A test that
 * leaves unsaved rows opens a page of its own. After a failed test, the next one gets another page.
 * @param open opens a blank page of a signed-in user
 */
export function onePage(open: () => Promise<OpenPage>): (url: string) => Promise<Page> {
  let opened: OpenPage | undefined;
  afterEach(async ({ task }) => {
    const used = opened;
    if (task.result?.state === 'fail') {
      opened = undefined;
      await used?.page.context().close();
    }
    used?.checkConsole();
  });
  afterAll(() => opened?.close());
  return async (url) => {
    if (opened) {
      await mountAnew(opened.page, url);
      return opened.page;
    }
    opened = await open();
    const { page } = opened;
    await Promise.all([page.waitForResponse('**/api/events*'), page.goto(url)]);
    return page;
  };
}
