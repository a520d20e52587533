import type { Deal } from '@forecourt/contract/deals';
import type { LiveEvent } from '@forecourt/contract/events';
import { expect, it } from 'vitest';
import { ApiError } from '../../platform/api-error.ts';
import { createDealNews } from './deal-news.ts';

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const event = (recordId: string, action: LiveEvent['action'] = 'updated'): LiveEvent => ({
  id: '1',
  entity: 'deal',
  recordId,
  action,
  version: 2,
});

function setUp(places = new Map<string, 'coming' | 'elsewhere'>()) {
  const timers: (() => void)[] = [];
  const heard = { asked: [] as string[], deals: [] as string[], gone: [] as string[], reloads: 0 };
  const news = createDealNews({
    deal(id) {
      heard.asked.push(id);
      if (id === 'hidden') return Promise.reject(new ApiError(404, 'Resource not found', 'NOT_FOUND'));
      return Promise.resolve({ _id: id } as Deal);
    },
    placeOf: (id) => places.get(id) ?? 'here',
    isKnown: (id, version) => id === 'mine' && version <= 2,
    dealsOfEmail: (id) => Promise.resolve(id === 'mail' ? ['d1'] : []),
    onDeals: (deals) => heard.deals.push(...deals.map(({ _id }) => _id)),
    onGone: (ids) => heard.gone.push(...ids),
    reload: () => (heard.reloads += 1),
    later(run) {
      timers.push(run);
      return () => timers.splice(timers.indexOf(run), 1);
    },
  });
  return { news, heard, run: () => timers.splice(0).forEach((timer) => timer()) };
}

it('asks once for a row that changed several times in a moment, and for all rows together', async () => {
  const { news, heard, run } = setUp();
  for (const id of ['d1', 'd2', 'd1']) news.onDeal(event(id));
  run();
  await settle();
  expect(heard.asked).toEqual(['d1', 'd2']);
  expect(heard.deals).toEqual(['d1', 'd2']);
});

it('removes what was deleted and what may not be seen any more', async () => {
  const { news, heard, run } = setUp();
  news.onDeal(event('d1'));
  news.onDeal(event('d1', 'deleted'));
  news.onDeal(event('hidden'));
  run();
  await settle();
  expect(heard.asked).toEqual(['hidden']);
  expect(heard.gone).toEqual(['d1', 'hidden']);
});

it('refreshes the row that a message is about', async () => {
  const { news, heard, run } = setUp();
  news.onEmail(event('mail'));
  news.onEmail(event('test mail'));
  await settle();
  run();
  await settle();
  expect(heard.deals).toEqual(['d1']);
});

it('loads the view again when very much changed at once', async () => {
  const { news, heard, run } = setUp();
  for (let at = 0; at < 100; at += 1) news.onDeal(event(`d${at}`));
  run();
  await settle();
  expect(heard.reloads).toBe(1);
  expect(heard.asked).toEqual([]);
});

it('does not ask for what was sent from here, but for what somebody else made of it', async () => {
  const { news, heard, run } = setUp();
  news.onDeal(event('mine'));
  run();
  await settle();
  expect(heard.asked).toEqual([]);
  news.onDeal({ ...event('mine'), version: 3 });
  run();
  await settle();
  expect(heard.asked).toEqual(['mine']);
});

it('asks for no row outside of the window, and for one that is still to come when it is there', async () => {
  const places = new Map([
    ['far', 'elsewhere'],
    ['soon', 'coming'],
  ] as const);
  const { news, heard, run } = setUp(places);
  for (const id of ['far', 'soon']) news.onDeal(event(id));
  run();
  await settle();
  expect(heard.asked).toEqual([]);
  places.delete('soon');
  run();
  await settle();
  expect(heard.asked).toEqual(['soon']);
});
