import { queryOptions } from '@tanstack/react-query';
import { call } from '../../platform/api.ts';
import { readQuery } from '../../platform/read-query.ts';
import type { texts } from '../../texts/dashboard.ts';

/** Key prefix of all queries of this screen, so that one live event invalidates them. */
export const dashboardKey = ['dashboard'] as const;

export const figuresQuery = readQuery([...dashboardKey, 'figures'], 'GET /dashboard');

/** The user's rows that wait for a call, by due time. */
export const toCallQuery = readQuery([...dashboardKey, 'to-call'], 'GET /dashboard/to-call');

/** Changes by other users to the user's rows since the last visit. */
export const changesQuery = readQuery([...dashboardKey, 'changes'], 'GET /dashboard/changes');

/** The newest failed emails and their number: the user's own, for administrators all. */
export const failedEmailsQuery = readQuery([...dashboardKey, 'failed-emails'], 'GET /email/logs', {
  query: { status: 'failed', limit: '5' },
});

/** What is wrong with backups. For administrators. */
export const backupAlertsQuery = readQuery(
  [...dashboardKey, 'backup-alerts'],
  'GET /backups/scheduler/status',
  { background: true },
);

export type StartStep = keyof typeof texts.steps;
export type StartSteps = readonly (readonly [StartStep, boolean])[];

/** The set-up steps in order. Whether a step is done is derived from the records. */
export const startStepsQuery = queryOptions({
  queryKey: [...dashboardKey, 'start'],
  queryFn: async ({ signal }): Promise<StartSteps> => {
    const [settings, templates, dealerships, items, company, people, deals, sent] = await Promise.all([
      call('GET /email-settings', { signal }),
      call('GET /email-templates', { signal }),
      call('GET /dealerships', { signal }),
      call('GET /item-configurations', { signal }),
      call('GET /settings/user/:userId/category/:category', {
        params: { userId: 'company', category: 'commission' },
        signal,
      }),
      call('GET /users', { signal }),
      call('GET /deals/summary', { signal }),
      call('GET /email/logs', { query: { status: 'sent', limit: '1' }, signal }),
    ]);
    return [
      ['emailSettings', settings.isConfigured],
      ['template', templates.items.some(({ status }) => status === 'active')],
      ['dealership', dealerships.total > 0],
      ['items', items.total > 0],
      ['rates', company.items.some(({ value }) => value !== null)],
      ['colleagues', people.total > 1],
      ['deal', deals.total > 0],
      ['email', sent.total > 0],
    ];
  },
});
