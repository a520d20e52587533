import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { launchOptions } from '../browser.ts';
import { startGridServer } from './grid-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    gridUrl: string;
    gridBrowser: string;
  }
}

/** One build, one server and one browser for all tests of the grid. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const [server, browser] = await Promise.all([
    startGridServer('development'),
    chromium.launchServer(launchOptions()),
  ]);
  project.provide('gridUrl', server.url);
  project.provide('gridBrowser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
