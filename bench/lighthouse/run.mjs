// Usage: node bench/lighthouse/run.mjs
// Runs Lighthouse on Data Entry with its desktop profile, signed in, on a month of 5,000 rows, and prints the medians
// of some visits. Lighthouse has nearly thirty direct dependencies, so it is not a dependency of the project: npm
// installs the version below into its own cache during the run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { launchBrowser, launchOptions } from '../../e2e/browser.ts';
import { freePort } from '../../server/test/free-port.ts';
import { openCompany } from '../company.mjs';
import { median, printTable } from '../figures.mjs';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const VISITS = 3;
const GOAL = 95;

const measures = {
  'first-contentful-paint': 'First Contentful Paint, ms',
  'largest-contentful-paint': 'Largest Contentful Paint, ms',
  'total-blocking-time': 'Total Blocking Time, ms',
  'cumulative-layout-shift': 'Cumulative Layout Shift',
  'speed-index': 'Speed Index, ms',
};

/** Opens a browser with a debugging port for Lighthouse and a signed-in user; its storage is kept between visits. */
async function openBrowser(folder, port, { url, token }) {
  const options = launchOptions();
  const args = [...options.args, `--remote-debugging-port=${port}`];
  // A context opened as usual forgets its storage with the page; it only supplies the settings.
  const usual = await launchBrowser();
  await usual.close();
  const browser = await usual.browserType().launchPersistentContext(folder, { ...options, args });
  const [page] = browser.pages();
  await page.goto(`${url}/favicon.svg`);
  await page.evaluate((token) => localStorage.setItem('token', token), token);
  return browser;
}

/** Runs one visit with an empty cache. Returns the score and its measures. */
async function visit(url, port) {
  const flags = [
    `--port=${port}`,
    '--preset=desktop',
    '--only-categories=performance',
    '--disable-full-page-screenshot',
    '--output=json',
    // The live event stream never ends, so the page never becomes idle; everything measured is complete by then.
    '--max-wait-for-load=10000',
    '--no-enable-error-reporting',
  ];
  const child = spawn(
    'npm',
    ['exec', '--yes', '--loglevel=error', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url, ...flags],
    {
      // It has to run on the same version of Node as this program.
      env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (child.exitCode !== 0) throw new Error(`Lighthouse has failed.\n${errors.slice(-2000)}`);
  const { audits, categories, finalDisplayedUrl } = JSON.parse(printed);
  if (finalDisplayedUrl !== url) throw new Error(`Lighthouse was sent on to ${finalDisplayedUrl}.`);
  const values = Object.keys(measures).map((id) => audits[id].numericValue);
  return { score: categories.performance.score * 100, values };
}

const company = await openCompany(20_000);
const folder = await mkdtemp(join(tmpdir(), 'bench-lighthouse-'));
let browser;
try {
  const port = await freePort();
  browser = await openBrowser(folder, port, company);
  const visits = [];
  for (let turn = 0; turn < VISITS; turn += 1) visits.push(await visit(`${company.url}/data-entry`, port));
  const lines = Object.keys(measures).map((id, at) => {
    const value = median(visits.map(({ values }) => values[at]));
    return [measures[id], id === 'cumulative-layout-shift' ? value.toFixed(3) : value.toFixed(0), ''];
  });
  const scores = visits.map(({ score }) => score);
  printTable(
    ['Lighthouse of Data Entry, desktop', 'here', 'goal'],
    [
      ['Performance', median(scores).toFixed(0), `>= ${GOAL}`],
      ['the worst of all visits', Math.min(...scores).toFixed(0), ''],
      ...lines,
    ],
  );
} finally {
  await browser?.close();
  await company.close();
  await rm(folder, { recursive: true, force: true });
}
