// Part of `npm test`: the browser of the end-to-end journeys.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installFromDebian } from './debian.mjs';
import { Problem } from './problem.mjs';

const commands = [
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

/** Path of a Chromium or Chrome, by CHROMIUM_PATH or where it usually is; undefined when there is none. */
export function findChromium(environment = process.env) {
  if (environment.CHROMIUM_PATH) {
    if (existsSync(environment.CHROMIUM_PATH)) return environment.CHROMIUM_PATH;
    throw new Problem(`CHROMIUM_PATH names ${environment.CHROMIUM_PATH}, which does not exist.`);
  }
  const folders = (environment.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = folders.flatMap((folder) => commands.map((command) => join(folder, command)));
  return [...candidates, ...elsewhere].find((path) => existsSync(path));
}

/** Installs Debian's Chromium where the machine allows it; refuses with the one line that says what is missing. */
export function requireChromium() {
  const found = findChromium();
  if (found) return found;
  installFromDebian('chromium', 'Chromium');
  const installed = findChromium();
  if (installed) return installed;
  throw new Problem(
    'The tests need a browser: install Chromium or Chrome (on Debian, as root: apt-get install chromium), or set CHROMIUM_PATH.',
  );
}
