import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { downloadFile } from './files.ts';

describe('the download of a small file', () => {
  type Body = TransformStreamDefaultController<Uint8Array>;
  /** Sends the body of the response, which ends when the request is aborted. Undefined: there is no response. */
  let send: ((body: Body) => void) | undefined;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('window', {});
    vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
      const whenAborted = (end: (reason: unknown) => void): void =>
        signal.addEventListener('abort', () => end(signal.reason));
      if (!send) return new Promise((_resolve, reject) => whenAborted(reject));
      const start = (body: Body): void => {
        whenAborted((reason) => body.error(reason));
        send?.(body);
      };
      return Promise.resolve(new Response(new TransformStream({ start }).readable));
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Returns when the download ended, in milliseconds, and why it failed. */
  async function outcome(): Promise<{ after: number; code: string }> {
    const begun = Date.now();
    const ended = downloadFile('/files', {}, 'a.pdf').catch((error: { code: string }) => error.code);
    const timed = ended.then((code) => ({ after: Date.now() - begun, code: code ?? 'OK' }));
    await vi.advanceTimersByTimeAsync(60_000);
    return timed;
  }

  test('the download of a small file ends after 15 s without a response', async () => {
    send = undefined;
    expect(await outcome()).toEqual({ after: 15_000, code: 'TIMEOUT' });
  });

  test('the download of a small file ends 15 s after its last byte', async () => {
    send = (body) => {
      for (const ms of [10_000, 20_000]) setTimeout(() => body.enqueue(new Uint8Array([7])), ms);
    };
    expect(await outcome()).toEqual({ after: 35_000, code: 'TIMEOUT' });
  });

  test('the download of a small file reports a line that breaks in the middle', async () => {
    send = (body) => {
      body.enqueue(new Uint8Array([7]));
      setTimeout(() => body.error(new TypeError('network error')), 100);
    };
    expect(await outcome()).toEqual({ after: 100, code: 'NETWORK' });
  });
});
