import type { ComponentType } from 'react';
import { expect, test, vi } from 'vitest';
import { comingLater, firstScreenStands } from './coming-later.ts';

type Part = { default: ComponentType };
const part: Part = { default: () => null };

test('parts come when the first screen stands, one after the other, whatever becomes of each', async () => {
  const begun: string[] = [];
  const later = (name: string, coming: () => Promise<Part>) =>
    comingLater(() => {
      begun.push(name);
      return coming();
    });
  const { promise: slow, resolve: slowCame } = Promise.withResolvers<Part>();
  later('slow', () => slow);
  later('missing', () => Promise.reject(new Error('not there')));
  later('last', () => Promise.resolve(part));
  expect(begun).toEqual([]);

  firstScreenStands();
  firstScreenStands();
  await vi.waitFor(() => expect(begun).toEqual(['slow']));
  slowCame(part);
  await vi.waitFor(() => expect(begun).toEqual(['slow', 'missing', 'last']));

  later('of another screen', () => Promise.resolve(part));
  await vi.waitFor(() => expect(begun.at(-1)).toBe('of another screen'));
});
