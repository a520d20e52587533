import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Reports are computed from rows, so they require the Data Entry page. */
export const reportReader: RoutePolicy = {
  name: 'page dataEntry and feature viewReports',
  allows: ({ role, permissions: { pages, features } }) =>
    role === 'admin' || (pages.dataEntry && features.viewReports) ? true : 'INSUFFICIENT_PERMISSIONS',
};
