import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';

/** Everything of this screen lies under one key, so that a live event can make all of it stale. */
export const dashboardKey = ['dashboard'] as const;

/** This month against the last, and the months before. */
export const figuresQuery = queryOptions({
  queryKey: [...dashboardKey, 'figures'],
  queryFn: ({ signal }) => call('GET /dashboard', { signal }),
});

/** The own rows that wait for a call, first due first. */
export const toCallQuery = queryOptions({
  queryKey: [...dashboardKey, 'to-call'],
  queryFn: ({ signal }) => call('GET /dashboard/to-call', { signal }),
});

/** What others did with the own rows since the last visit. */
export const changesQuery = queryOptions({
  queryKey: [...dashboardKey, 'changes'],
  queryFn: ({ signal }) => call('GET /dashboard/changes', { signal }),
});

/** The newest emails that failed, and how many did: the own ones, for administrators all. */
export const failedEmailsQuery = queryOptions({
  queryKey: [...dashboardKey, 'failed-emails'],
  queryFn: ({ signal }) => call('GET /email/logs', { query: { status: 'failed', limit: '5' }, signal }),
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
