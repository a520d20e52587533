import { existsSync } from 'node:fs';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type LaunchOptions,
  type Page,
} from 'playwright-core';

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where Chromium is: `CHROMIUM_PATH`, else the usual places; undefined leaves it to Playwright's own download. */
function chromiumPath(): string | undefined {
  return process.env['CHROMIUM_PATH'] ?? CANDIDATES.find((path) => existsSync(path));
}

/** A browser that speaks to nobody but the pages under test. */
export function launchOptions(): LaunchOptions {
  const executablePath = chromiumPath();
  return {
    ...(executablePath !== undefined && { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

/**
 * What the console says of requests that a broken line, a server that is gone or a reload ends. Which of these it is
 * depends on how far the request had come.
 */
export const LINE_LOST =
  /ERR_(FAILED|ABORTED|CONNECTION_\w+|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED|NETWORK_CHANGED)/;

export interface OpenPage {
  readonly page: Page;
  /** Throws when the console has had an error or a warning, or a script has failed, since the last check. */
  readonly checkConsole: () => void;
  /** Closes the page after a last check of its console. */
  readonly close: () => Promise<void>;
}

/**
 * A page in a context of its own (own storage, own cookies) whose console is watched: a warning is a failure.
 *
 * @param expected messages that the test provokes on purpose, such as a 401 in the network log
 */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  expected: readonly RegExp[] = [],
): Promise<OpenPage> {
  const context = await browser.newContext({ locale: 'en-AU', timezoneId: 'Australia/Sydney', ...options });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const failures: string[] = [];
  const note = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) failures.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      note(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => note(`uncaught: ${error.message}`));
  const checkConsole = () => {
    const found = failures.splice(0);
    if (found.length > 0) throw new Error(`The page's console was not clean:\n${found.join('\n')}`);
  };
  return {
    page,
    checkConsole,
    async close() {
      await context.close();
      checkConsole();
    },
  };
}
