import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type LaunchOptions,
  type Locator,
  type Page,
} from 'playwright-core';

/** The ordinary browser first, for `bench/`. `npm test` sets `CHROMIUM_PATH` to the fastest. */
const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/usr/bin/chromium-headless-shell',
];

const OFF = [
  // Chromium opens an address bar popup page in each window, which costs more than the page under test.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  // Features that Playwright disables: only the last list on a command line applies.
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Returns the path of Chromium: `CHROMIUM_PATH`, else the usual paths; undefined selects Playwright's own download. */
function chromiumPath(): string | undefined {
  return process.env['CHROMIUM_PATH'] ?? CANDIDATES.find((path) => existsSync(path));
}

/** Returns options for a browser that sends no requests except those of the pages under test. */
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
      `--disable-features=${OFF.join(',')}`,
    ],
  };
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch(launchOptions());
}

let shared: Promise<Browser> | undefined;

/** Returns this worker's browser, shared by its test files in sequence. Each file ends with `closePages`. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Closes every page and context of this worker's browser for the next file. */
export async function closePages(): Promise<void> {
  const contexts = (await shared)?.contexts() ?? [];
  await Promise.all(contexts.map((context) => context.close()));
}

/** Changes the screen without reloading the page, as a link does. */
export const follow = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => history.pushState(null, '', to), path);

/**
 * Resolves once the page shows a text, also if it disappears before the test sees it, as a toast may on a busy machine.
 * Call it before the action.
 */
export const willShow = (page: Page, text: string): Promise<void> =>
  page.evaluate(
    (expected) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (!document.body.textContent.includes(expected)) return;
          observer.disconnect();
          resolve();
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
        look();
      }),
    text,
  );

/** Closes the toasts: for seconds they cover buttons at the lower edge of the window, which a click waits for. */
export async function closeToasts(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const toasts = document.querySelectorAll<HTMLElement>('.mantine-Notification-root [aria-label="Close"]');
    for (const close of toasts) close.click();
    return toasts.length === 0;
  });
}

/** Makes the page a hidden tab, which polls nothing: what it shows from now on came by a live event. */
export const hideTab = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });

/**
 * Console messages of requests that end because of a lost connection, a stopped server or a reload. The message depends
 * on the progress of the request.
 */
export const CONNECTION_LOST =
  /ERR_(FAILED|ABORTED|CONNECTION_\w+|SOCKET_NOT_CONNECTED|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|INTERNET_DISCONNECTED|NETWORK_CHANGED)/;

/** Console messages that depend on the machine's speed, or on the order of events. */
const ALLOWED = [
  // A page requests a row or a job after an event about it; either may be deleted before the request.
  /status of 404 .*\/api\/(deals|jobs)\/[0-9a-f-]+$/,
  // The screen repeated the request by itself while the button was pressed.
  /^error: Lost press on "Try again"/,
  // A call that a busy machine did not respond to in 15 seconds. The page repeats it.
  /Request timeout\. Please try again\./,
];

/**
 * With `SLOW_BROWSER=6`, scripts run at a sixth of their speed and each GET waits up to 150 ms. A test that reads the
 * page before it shows the awaited state then fails each time, not once in a hundred runs. A press whose button moves
 * before the release is an error.
 */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['SLOW_BROWSER'] ?? 1);
  if (rate <= 1) return;
  delayClicks(page);
  await page.addInitScript(reportLostPresses);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  await page.context().route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') await setTimeout(Math.random() * 150);
    await route.fallback().catch(() => undefined);
  });
}

/** With `SLOW_BROWSER`, a click takes 80 ms from press to release, as a person's does. */
function delayClicks(page: Page): void {
  const locators = Object.getPrototypeOf(page.locator('body')) as Record<'click', Locator['click']>;
  const { click } = locators;
  if (click.name === 'delayedClick') return;
  locators.click = function delayedClick(this: Locator, options) {
    return click.call(this, { delay: 80, ...options });
  };
}

/**
 * Runs in the page: reports a press without effect, because its button had moved or was replaced before the release.
 * Nothing under the pointer may move because of something that is loaded.
 */
function reportLostPresses(): void {
  const pressable = (target: EventTarget | null) =>
    (target instanceof Element && target.closest('button, a[href], [role="menuitem"], [role="option"]')) ||
    undefined;
  let pressed: { control: Element; name: string; x: number; y: number } | undefined;
  addEventListener(
    'mousedown',
    ({ target, clientX: x, clientY: y }) => {
      const control = pressable(target);
      const name = control?.getAttribute('aria-label') ?? control?.textContent ?? '';
      pressed = control && { control, name, x, y };
    },
    true,
  );
  addEventListener(
    'mouseup',
    ({ target, clientX, clientY }) => {
      const before = pressed;
      pressed = undefined;
      if (!before || before.x !== clientX || before.y !== clientY) return;
      if (pressable(target) !== before.control) {
        const found = target instanceof Element ? target.outerHTML.slice(0, 120) : 'nothing';
        // oxlint-disable-next-line no-console -- the console is what a test checks
        console.error(
          `Lost press on "${before.name}" (${before.control.isConnected ? 'moved' : 'replaced'}): ${found}`,
        );
      }
    },
    true,
  );
}

export interface OpenPage {
  readonly page: Page;
  /** Throws if the console had an error or a warning, or a script failed, since the last check. */
  readonly checkConsole: () => void;
  /** Checks the console a last time and closes the page. */
  readonly close: () => Promise<void>;
}

/**
 * Opens a page in a context of its own (storage, cookies). A warning in its console is a failure.
 * @param expected messages that the test provokes, such as a 401 in the network log
 */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
  expected: readonly RegExp[] = [],
): Promise<OpenPage> {
  const context = await browser.newContext({ locale: 'en-AU', timezoneId: 'Australia/Sydney', ...options });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  await slowDown(page);
  const failures: string[] = [];
  const note = (text: string) => {
    if (![...expected, ...ALLOWED].some((pattern) => pattern.test(text))) failures.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      note(`${message.type()}: ${message.text()} ${message.location().url}`.trimEnd());
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

/**
 * Signs a page in as it opens its first screen. A stored state given to the context would have the same effect, but opens
 * and closes another page for it, which costs as much as a third of a load.
 */
export async function signInAtFirst(page: Page, origin: string, token: string): Promise<void> {
  const script = await page.addInitScript(
    (given) => {
      if (location.origin === given.origin) localStorage.setItem('token', given.token);
    },
    { origin, token },
  );
  // Only once: a later load must find what the page itself has stored. The page may be closed before.
  void page
    .waitForURL(`${origin}/**`, { waitUntil: 'domcontentloaded', timeout: 0 })
    .then(() => script.dispose())
    .catch(() => undefined);
}

/**
 * Waits until the focus is in a part of the page, such as a dialog. A dialog gets the focus after it is shown, and
 * earlier keys go elsewhere.
 */
export function hasKeys(part: Locator): Promise<void> {
  const focused = part.page().locator(':focus');
  return part.filter({ has: focused }).or(part.and(focused)).first().waitFor({ state: 'attached' });
}

export const isFocused = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === document.activeElement);
