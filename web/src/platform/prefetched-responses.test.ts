import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dropPrefetched, takePrefetched } from './prefetched-responses.ts';

const response = Promise.resolve(new Response('{}'));
const abort = vi.fn<(reason: unknown) => void>();
const never = new AbortController().signal;

beforeEach(() => {
  abort.mockReset();
  vi.stubGlobal('window', {
    prefetchedResponses: new Map([['/api/auth/me', { response, token: 'mine', abort }]]),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test('a prefetched response is returned to the first call with its address', () => {
  expect(takePrefetched('/api/deals', 'mine', never)).toBeUndefined();
  expect(takePrefetched('/api/auth/me', 'mine', never)).toBe(response);
  expect(takePrefetched('/api/auth/me', 'mine', never)).toBeUndefined();
});

test('a prefetched response is not returned for another token', () => {
  expect(takePrefetched('/api/auth/me', 'another', never)).toBeUndefined();
  expect(takePrefetched('/api/auth/me', 'mine', never)).toBeUndefined();
});

test('a prefetched response is aborted with the signal of the call', () => {
  const controller = new AbortController();
  void takePrefetched('/api/auth/me', 'mine', controller.signal);
  expect(abort).not.toHaveBeenCalled();
  controller.abort('too late');
  expect(abort).toHaveBeenCalledExactlyOnceWith('too late');
});

test('a prefetched response is dropped when it was not used', () => {
  dropPrefetched();
  expect(takePrefetched('/api/auth/me', 'mine', never)).toBeUndefined();
});
