import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isMissingScript, loadScript } from './load-script.ts';

const MISSING = new TypeError('Failed to fetch dynamically imported module: http://x/a.js');

describe('a script that cannot be loaded', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('a script that cannot be loaded is requested again after waits that double, and reported once', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValue(MISSING);
    const onMissing = vi.fn<() => void>();
    const loaded = loadScript(load, onMissing);
    await vi.advanceTimersByTimeAsync(999);
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(load).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2000);
    expect(load).toHaveBeenCalledTimes(3);
    load.mockResolvedValue('a part');
    await vi.advanceTimersByTimeAsync(4000);
    expect(await loaded).toBe('a part');
    expect(onMissing).toHaveBeenCalledTimes(1);
  });

  test('a script that cannot be loaded is recognised by the messages of each browser', () => {
    expect(isMissingScript(MISSING)).toBe(true);
    expect(isMissingScript(new TypeError('error loading dynamically imported module: http://x/a.js'))).toBe(
      true,
    );
    expect(isMissingScript(new Error('Unable to preload CSS for /assets/a.css'))).toBe(true);
    expect(isMissingScript(new TypeError('Importing a module script failed.'))).toBe(true);
  });
});

test('a script that throws is not requested again', async () => {
  const broken = new TypeError("Cannot read properties of undefined (reading 'x')");
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(broken);
  await expect(loadScript(load)).rejects.toBe(broken);
  expect(load).toHaveBeenCalledTimes(1);
});
