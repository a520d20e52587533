import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

/** Everything of this screen lies under one key, so that a live event can make all of it stale. */
export const dashboardKey = ['dashboard'] as const;

/** This month's counts and sums, with the statuses' colours and the month they belong to. */
export const monthQuery = queryOptions({
  queryKey: [...dashboardKey, 'month'],
  queryFn: async ({ signal }) => {
    const { statuses, currentMonth } = await call('GET /deals/options', { signal });
    const summary = await call('GET /deals/summary', { query: { month: currentMonth }, signal });
    return { month: currentMonth, statuses, summary };
  },
});

/** How many emails failed: the own ones, for administrators all. */
export const failedEmailsQuery = queryOptions({
  queryKey: [...dashboardKey, 'failed-emails'],
  queryFn: async ({ signal }) =>
    (await call('GET /email/logs', { query: { status: 'failed', limit: '1' }, signal })).total,
});

export type StartStep = 'emailSettings' | 'template' | 'dealership' | 'deal' | 'email';

/** Which steps of getting started are done, in their order; asked of the records themselves. */
export const startStepsQuery = queryOptions({
  queryKey: [...dashboardKey, 'start'],
  queryFn: async ({ signal }): Promise<readonly (readonly [StartStep, boolean])[]> => {
    const [settings, templates, dealerships, deals, sent] = await Promise.all([
      call('GET /email-settings', { signal }),
      call('GET /email-templates', { signal }),
      call('GET /dealerships', { signal }),
      call('GET /deals/summary', { signal }),
      call('GET /email/logs', { query: { status: 'sent', limit: '1' }, signal }),
    ]);
    return [
      ['emailSettings', settings.isConfigured],
      ['template', templates.items.some(({ status }) => status === 'active')],
      ['dealership', dealerships.total > 0],
      ['deal', deals.total > 0],
      ['email', sent.total > 0],
    ];
  },
});
