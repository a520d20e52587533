import { z } from 'zod';
import type { RouteTable } from './route.ts';

export const healthRoutes = {
  'GET /health': {
    summary: 'Whether requests can be served: 503 with the reason while they cannot',
    response: z.strictObject({ status: z.literal('ok') }),
  },
} as const satisfies RouteTable;
