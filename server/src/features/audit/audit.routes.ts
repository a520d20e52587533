import type { auditRoutes } from '@forecourt/contract/audit';
import type { Read } from '../../platform/db/replica.ts';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { AuditService } from './audit.service.ts';

export const createAuditRoutes = (log: AuditService, read: Read): Routes<typeof auditRoutes> => ({
  'GET /audit-logs': [administrator, (ctx, { query }) => read((db) => log.list({ ...ctx, db }, query))],
  'GET /audit-logs/verify': [administrator, (ctx, { query }) => log.verify(ctx, Number(query.after))],
  'POST /audit-logs/redact': [administrator, (ctx, { body }) => log.redact(ctx, body)],
});
