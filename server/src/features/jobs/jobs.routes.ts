import type { jobRoutes } from '@forecourt/contract/jobs';
import { administrator, signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { JobsService } from './jobs.service.ts';

export const createJobRoutes = (
  jobs: JobsService,
): Omit<Routes<typeof jobRoutes>, 'GET /downloads/:ticket'> => ({
  'GET /jobs': [administrator, (ctx) => jobs.list(ctx)],
  'GET /jobs/:id': [signedIn, (ctx, { params }) => jobs.get(ctx, params.id)],
  'POST /jobs/:id/cancel': [administrator, (ctx, { params }) => jobs.cancel(ctx, params.id)],
  'POST /jobs/recurring/:name/run': [administrator, (ctx, { params }) => jobs.run(ctx, params.name)],
  'POST /jobs/failed/:id/retry': [administrator, (ctx, { params }) => jobs.retry(ctx, params.id)],
});
