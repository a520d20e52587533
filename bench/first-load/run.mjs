// Usage: node bench/first-load/run.mjs
// Opens Data Entry in a real Chromium with an empty cache, signed in, on a month of 5,000 rows. Prints the time to the
// first rows, the bytes transferred until then by kind, and the longest task while a user types as soon as the rows are
// shown.
import { launchBrowser, openPage } from '../../e2e/browser.ts';
import { openCompany } from '../company.mjs';
import { median, printTable } from '../figures.mjs';

const VISITS = 7;
const GOAL_MS = 400;
/** Goal with half of the processor, which Chromium imitates. */
const HALF_GOAL_MS = 600;
const GOAL_KB = 250;

/** Number of typed characters, and the delay between them: faster than any typist. */
const TYPED = 30;
const KEY_MS = 30;
/** Presence is limited to once a second, and each visit has the same session. */
const TOO_OFTEN = /status of 429/;
const FIRST_CUSTOMER = '[aria-rowindex="2"] [aria-colindex="3"]';

/** Returns the kind of a URL's content, for display. */
function kindOf(url) {
  if (url.includes('/api/')) return 'data';
  const ending = /\.(js|css|woff2)$/.exec(new URL(url).pathname)?.[1];
  return { js: 'script', css: 'style', woff2: 'font' }[ending] ?? 'page';
}

/** Runs in the page from its start: reports when the first row has been painted. */
function watchRows(firstCustomer) {
  const watch = () => {
    const cell = document.querySelector(firstCustomer);
    if (!cell?.textContent) requestAnimationFrame(watch);
    // Reported after the frame in which the row was found.
    else requestAnimationFrame(() => setTimeout(() => window.rowsShown(performance.now())));
  };
  requestAnimationFrame(watch);
}

/** Runs in the page from its start: records tasks longer than 50 ms. */
function watchTasks() {
  window.longTasks = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.longTasks.push({ startTime, duration });
  }).observe({ type: 'longtask' });
}

/** Types into the first row at once and returns the long tasks from the first key on, in ms. Discards the text. */
async function longTasksWhileTyping(page) {
  await page.locator(FIRST_CUSTOMER).click();
  const began = await page.evaluate(() => performance.now());
  await page.keyboard.type('Somebody with thirty characters'.slice(0, TYPED), { delay: KEY_MS });
  await page.keyboard.press('Escape');
  return page.evaluate(
    (from) => window.longTasks.filter(({ startTime }) => startTime >= from).map(({ duration }) => duration),
    began,
  );
}

/** Records transferred bytes. Slows the page down, because the browser records the initiator of each request. */
async function watchWire(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const addresses = new Map();
  const bytes = new Map();
  session.on('Network.responseReceived', ({ requestId, response }) => addresses.set(requestId, response.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    bytes.set(requestId, encodedDataLength),
  );
  return () => [...bytes].map(([id, size]) => ({ url: addresses.get(id) ?? '', kb: size / 1024 }));
}

/** Opens the screen once, either for its times or for its transferred bytes. `slowdown` divides the processor's speed. */
async function visit(browser, { url, token }, { counts = false, slowdown = 1 } = {}) {
  const { page, close } = await openPage(browser, { viewport: { width: 1440, height: 900 } }, [TOO_OFTEN]);
  try {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const { promise: shown, resolve } = Promise.withResolvers();
    await page.exposeFunction('rowsShown', resolve);
    await page.addInitScript((token) => localStorage.setItem('token', token), token);
    await page.addInitScript(watchRows, FIRST_CUSTOMER);
    await page.addInitScript(watchTasks);
    const loaded = counts ? await watchWire(page) : () => [];
    await page.goto(`${url}/data-entry`, { waitUntil: 'commit' });
    const after = await shown;
    return { after, loaded: loaded(), longTasks: await longTasksWhileTyping(page) };
  } finally {
    await close();
  }
}

const company = await openCompany(20_000);
const browser = await launchBrowser();
try {
  // The first visit fills the server's caches.
  const { loaded } = await visit(browser, company, { counts: true });
  const visits = [];
  const halved = [];
  for (let turn = 0; turn < VISITS; turn += 1) {
    visits.push(await visit(browser, company));
    halved.push(await visit(browser, company, { slowdown: 2 }));
  }
  const longTasks = visits.flatMap(({ longTasks }) => longTasks);
  const sum = (parts) => parts.reduce((total, { kb }) => total + kb, 0);
  const byKind = [...Map.groupBy(loaded, ({ url }) => kindOf(url))].map(([kind, parts]) => [
    `KB before the first rows: ${kind}, ${parts.length} requests`,
    sum(parts).toFixed(1),
    '',
  ]);
  const heading = ['First load of Data Entry', 'here', 'goal'];
  printTable(heading, [
    ['navigation to first rows, ms', median(visits.map(({ after }) => after)).toFixed(0), `< ${GOAL_MS}`],
    [
      'the same with half of the processor, ms',
      median(halved.map(({ after }) => after)).toFixed(0),
      `< ${HALF_GOAL_MS}`,
    ],
    ['KB before the first rows', sum(loaded).toFixed(1), `<= ${GOAL_KB}`],
    ...byKind,
    [
      `tasks over 50 ms while ${TYPED} characters are typed at once, in ${VISITS} visits`,
      longTasks.length === 0 ? '0' : `${longTasks.length}, ${Math.max(...longTasks).toFixed(0)} ms at most`,
      '0',
    ],
  ]);
  if (process.env.LIST) {
    for (const { url, kb } of loaded.toSorted((a, b) => b.kb - a.kb))
      console.log(kb.toFixed(1).padStart(7), url);
  }
} finally {
  await browser.close();
  await company.close();
}
