// Usage: node bench/first-load/run.mjs
// Opens Data Entry in a real Chromium with an empty cache, signed in, on a month of 5,000 rows, and prints how long it takes
// to the first rows and how many bytes come over the wire until then, by what they are.
import { launchBrowser, openPage } from '../../e2e/browser.ts';
import { openCompany } from '../company.mjs';
import { median, printTable } from '../figures.mjs';

const VISITS = 7;
const GOAL_MS = 400;
const GOAL_KB = 250;

/** What an address brings, for people. */
function kindOf(url) {
  if (url.includes('/api/')) return 'data';
  const ending = /\.(js|css|woff2)$/.exec(new URL(url).pathname)?.[1];
  return { js: 'script', css: 'style', woff2: 'font' }[ending] ?? 'page';
}

/** Runs in the page from its beginning: tells when the first row has been painted. */
function watchRows() {
  const watch = () => {
    // The customer of the first row.
    const cell = document.querySelector('[aria-rowindex="2"] [aria-colindex="3"]');
    if (!cell?.textContent) requestAnimationFrame(watch);
    // After the frame in which it was seen.
    else requestAnimationFrame(() => setTimeout(() => window.rowsShown(performance.now())));
  };
  requestAnimationFrame(watch);
}

async function visit(browser, { url, token }) {
  const { page, close } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
  try {
    const { promise: shown, resolve } = Promise.withResolvers();
    await page.exposeFunction('rowsShown', resolve);
    await page.addInitScript((token) => localStorage.setItem('token', token), token);
    await page.addInitScript(watchRows);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const addresses = new Map();
    const bytes = new Map();
    session.on('Network.responseReceived', ({ requestId, response }) =>
      addresses.set(requestId, response.url),
    );
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
      bytes.set(requestId, encodedDataLength),
    );
    await page.goto(`${url}/data-entry`, { waitUntil: 'commit' });
    const after = await shown;
    const loaded = [...bytes].map(([id, size]) => ({ url: addresses.get(id) ?? '', kb: size / 1024 }));
    return { after, loaded };
  } finally {
    await close();
  }
}

const company = await openCompany(20_000);
const browser = await launchBrowser();
try {
  // The first visit fills the server's own caches.
  await visit(browser, company);
  const visits = [];
  for (let turn = 0; turn < VISITS; turn += 1) visits.push(await visit(browser, company));
  const { loaded } = visits.at(-1);
  const sum = (parts) => parts.reduce((total, { kb }) => total + kb, 0);
  const byKind = [...Map.groupBy(loaded, ({ url }) => kindOf(url))].map(([kind, parts]) => [
    `KB before the first rows: ${kind}, ${parts.length} requests`,
    sum(parts).toFixed(1),
    '',
  ]);
  const heading = ['First load of Data Entry', 'here', 'goal'];
  printTable(heading, [
    ['navigation to first rows, ms', median(visits.map(({ after }) => after)).toFixed(0), `< ${GOAL_MS}`],
    ['KB before the first rows', sum(loaded).toFixed(1), `<= ${GOAL_KB}`],
    ...byKind,
  ]);
  if (process.env.LIST) {
    for (const { url, kb } of loaded.toSorted((a, b) => b.kb - a.kb))
      console.log(kb.toFixed(1).padStart(7), url);
  }
} finally {
  await browser.close();
  await company.close();
}
