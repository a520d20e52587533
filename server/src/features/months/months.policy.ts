import type { RoutePolicy } from '../../platform/http/policy.ts';

/** Checks count rows, so they require the Data Entry page. */
export const monthCloser: RoutePolicy = {
  name: 'page dataEntry and feature closeMonths',
  allows: ({ role, permissions: { pages, features } }) =>
    role === 'admin' || (pages.dataEntry && features.closeMonths) ? true : 'INSUFFICIENT_PERMISSIONS',
};
