import type { Deal } from '@forecourt/contract/deals';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { emptyDraft } from './draft.ts';
import { createOtherTabsQuery, createTabChannel, type TabMessage } from './tab-sync.ts';

const message: TabMessage = { kind: 'drafts', drafts: [emptyDraft('k', null, '2026-11')] };

describe('drafts in two tabs', () => {
  /** A tab with the messages that it received. */
  const open = (userId: string) => {
    const tab = createTabChannel(userId);
    const received: TabMessage[] = [];
    const stop = tab.subscribe((next) => received.push(next));
    onTestFinished(stop);
    return { ...tab, received, stop };
  };

  test('drafts in two tabs reach the other tabs of the same user, and no other user', async () => {
    const [own, other, stranger] = [open('u-1'), open('u-1'), open('u-2')];
    own.publish(message);
    own.publish({ kind: 'deal', key: 'k', deal: { _id: 'd-1' } as Deal });
    await expect
      .poll(() => other.received)
      .toEqual([message, { kind: 'deal', key: 'k', deal: { _id: 'd-1' } }]);
    expect(own.received).toEqual([]);
    expect(stranger.received).toEqual([]);
  });

  test('drafts in two tabs are neither sent nor received after unsubscribing', async () => {
    const [ended, first, second] = [open('u-1'), open('u-1'), open('u-1')];
    ended.stop();
    expect(() => ended.publish({ kind: 'drafts', drafts: [] })).not.toThrow();
    first.publish(message);
    await expect.poll(() => second.received).toEqual([message]);
    expect(ended.received).toEqual([]);
  });
});

describe('what other tabs have open', () => {
  const open = (name: string | null, kind = 'forms', userId = 'u-1') => {
    const tab = createOtherTabsQuery(kind, userId, () => name);
    onTestFinished(tab.stop);
    return tab;
  };

  test('what other tabs have open is found by name, of the same kind and user only, 300 ms after the query', async () => {
    const tab = open('own');
    for (const name of ['a', 'b', null]) open(name);
    open('c', 'editors');
    open('d', 'forms', 'u-2');
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const finding = tab.findOpen();
    expect(timer).toHaveBeenCalledWith(expect.any(Function), 300);
    timer.mockRestore();
    const found = await finding;
    await expect.poll(() => [...found].toSorted()).toEqual(['a', 'b']);
  });

  test('what other tabs have open excludes a tab that has stopped', async () => {
    const tab = open(null);
    open('a').stop();
    expect(await tab.findOpen()).toEqual(new Set());
  });
});
