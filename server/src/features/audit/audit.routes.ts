import type { auditRoutes } from '@forecourt/contract/audit';
import { administrator } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { AuditService } from './audit.service.ts';

export const createAuditRoutes = (log: AuditService): Routes<typeof auditRoutes> => ({
  'GET /audit-logs': [administrator, (ctx, { query }) => log.list(ctx, query)],
  'GET /audit-logs/verify': [administrator, (ctx, { query }) => log.verify(ctx, Number(query.after))],
  'POST /audit-logs/redact': [administrator, (ctx, { body }) => log.redact(ctx, body)],
});
