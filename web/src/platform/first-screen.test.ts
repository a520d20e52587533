import type { ComponentType } from 'react';
import { expect, test, vi } from 'vitest';
import { lazyAfterFirstPaint, markFirstScreenReady } from './first-screen.ts';

type Part = { default: ComponentType };
const part: Part = { default: () => null };

test('deferred components load one at a time after the first screen is ready, also after a failed load', async () => {
  const begun: string[] = [];
  const later = (name: string, load: () => Promise<Part>) =>
    lazyAfterFirstPaint(() => {
      begun.push(name);
      return load();
    });
  const { promise: slow, resolve: slowCame } = Promise.withResolvers<Part>();
  later('slow', () => slow);
  later('missing', () => Promise.reject(new Error('not there')));
  later('last', () => Promise.resolve(part));
  expect(begun).toEqual([]);

  markFirstScreenReady();
  markFirstScreenReady();
  await vi.waitFor(() => expect(begun).toEqual(['slow']));
  slowCame(part);
  await vi.waitFor(() => expect(begun).toEqual(['slow', 'missing', 'last']));

  later('of another screen', () => Promise.resolve(part));
  await vi.waitFor(() => expect(begun.at(-1)).toBe('of another screen'));
});
