import { z } from 'zod';
import type { RouteTable } from './route.ts';

const response = z.strictObject({ status: z.literal('ok') });

export const healthRoutes = {
  'GET /health': {
    summary: 'Whether requests can be served: 503 with the reason while they cannot',
    response,
  },
  'GET /ready': { summary: 'The same as /health', response },
  'GET /live': { summary: 'Whether the process responds, whatever the state of the database', response },
} as const satisfies RouteTable;
