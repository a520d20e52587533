import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Reports are made of rows: who may not open Data Entry has none. */
export const reportReader: RoutePolicy = {
  name: 'page dataEntry and feature viewReports',
  allows: ({ role, permissions: { pages, features } }) =>
    role === 'admin' || (pages.dataEntry && features.viewReports) ? true : 'INSUFFICIENT_PERMISSIONS',
};
