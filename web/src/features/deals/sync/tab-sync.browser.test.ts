import { expect, onTestFinished, test } from 'vitest';
import { createOtherTabsQuery } from './tab-sync.ts';

/** A channel whose tab receives each message only after 0.9 s. */
class BusyChannel extends BroadcastChannel {
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject): void {
    super.addEventListener(type, (event) => {
      if (typeof listener === 'function') setTimeout(() => listener(event), 900);
    });
  }
}

const open = (name: string | null) => {
  const tab = createOtherTabsQuery('forms', 'u-1', () => name);
  onTestFinished(tab.stop);
  return tab;
};

test('a tab that is too busy to respond at once is not taken for closed', async () => {
  const asking = open(null);
  const { BroadcastChannel } = globalThis;
  globalThis.BroadcastChannel = BusyChannel;
  open('busy');
  globalThis.BroadcastChannel = BroadcastChannel;
  expect([...(await asking.findOpen())]).toEqual(['busy']);
});
