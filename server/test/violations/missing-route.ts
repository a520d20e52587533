import type { healthRoutes } from '@forecourt/contract/health';
import type { Routes } from '../../src/platform/http/routes.ts';

export const withoutTheRoute: Routes<typeof healthRoutes> = {};
export const withoutAPolicy: Routes<typeof healthRoutes> = {
  'GET /health': [async () => ({ status: 'ok' as const })],
};
