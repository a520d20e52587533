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

function setUp() {
  const timers: (() => void)[] = [];
  const heard = { asked: [] as string[], deals: [] as string[], gone: [] as string[], reloads: 0 };
  const news = createDealNews({
    deal(id) {
      heard.asked.push(id);
      if (id === 'hidden') return Promise.reject(new ApiError(404, 'Resource not found', 'NOT_FOUND'));
      return Promise.resolve({ _id: id } as Deal);
    },
    dealOfEmail: (id) => Promise.resolve(id === 'mail' ? 'd1' : null),
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
