import type { TestProject } from 'vitest/node';
import { startGridServer } from './grid-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    gridUrl: string;
  }
}

/** Starts one build and one server for all tests of the grid. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const server = await startGridServer('development');
  project.provide('gridUrl', server.url);
  return () => server.close();
}
