import { afterEach, describe, expect, test } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { useShownMonth } from './use-deal-view.ts';

afterEach(() =>
  document.body.querySelectorAll('.grid-editor, .other').forEach((element) => element.remove()),
);

const add = (className: string): HTMLInputElement => {
  const field = document.createElement('input');
  field.className = className;
  document.body.append(field);
  return field;
};

describe('when a new month begins', () => {
  const begin = async (mayStay: boolean) => {
    const hook = await renderHook((month: string | undefined) => useShownMonth(month, mayStay), {
      initialProps: '2026-11',
    });
    expect(hook.result.current).toBe('2026-11');
    return hook;
  };

  test('the month in view stays for a user of all months', async () => {
    const { result, rerender } = await begin(true);
    await rerender('2026-12');
    add('other').focus();
    expect(result.current).toBe('2026-11');
  });

  test('another user sees it at once, but not while typing', async () => {
    const { result, rerender } = await begin(false);
    await rerender('2026-12');
    await expect.poll(() => result.current).toBe('2026-12');
    const editor = add('grid-editor');
    editor.focus();
    await rerender('2027-01');
    expect(result.current).toBe('2026-12');
    editor.remove();
    add('other').focus();
    await expect.poll(() => result.current).toBe('2027-01');
  });
});
