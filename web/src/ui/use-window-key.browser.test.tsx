import { useLayoutEffect, type ReactNode } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { useWindowKey } from './use-window-key.ts';

const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key }));

test('keys are handled from the moment at which the screen is shown', async () => {
  const pressed: string[] = [];
  function Keys(): ReactNode {
    useWindowKey(({ key }) => pressed.push(key));
    return 'Screen';
  }
  /** Presses a key before the first paint. */
  function Early(): ReactNode {
    useLayoutEffect(() => void press('e'), []);
    return null;
  }
  const screen = await render(
    <>
      <Keys />
      <Early />
    </>,
  );
  expect(pressed).toEqual(['e']);
  await screen.unmount();
  press('l');
  expect(pressed).toEqual(['e']);
});
