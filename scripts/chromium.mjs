// Part of `npm test`: the browser of the end-to-end journeys.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from './debian.mjs';
import { Problem } from './problem.mjs';

/** Chromium without windows: the pages cost the same engine a third less processor time. */
const LIGHTEST = 'chromium-headless-shell';

const commands = [
  LIGHTEST,
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'chrome.exe',
];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Returns the path of a Chromium or Chrome, from CHROMIUM_PATH or the usual paths; undefined if there is none. */
export function findChromium(environment = process.env) {
  if (environment.CHROMIUM_PATH) {
    if (existsSync(environment.CHROMIUM_PATH)) return environment.CHROMIUM_PATH;
    throw new Problem(`CHROMIUM_PATH names ${environment.CHROMIUM_PATH}, which does not exist.`);
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  return [...candidates, ...elsewhere].find((path) => existsSync(path));
}

/** Returns the lightest browser, installed if possible; throws a Problem that names what is missing if there is none. */
export function requireChromium() {
  if (!findChromium()?.endsWith(LIGHTEST) && !process.env.CHROMIUM_PATH)
    installFromDebian(LIGHTEST, 'Chromium');
  const found = findChromium();
  if (found) return found;
  throw new Problem(
    `The tests need a browser: install Chromium or Chrome (on Debian, as root: apt-get install ${LIGHTEST}), or set CHROMIUM_PATH.`,
  );
}
