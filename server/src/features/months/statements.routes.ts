import type { statementRoutes } from '@forecourt/contract/statements';
import type { Downloads } from '../../platform/http/downloads.ts';
import { monthCloser, signedIn } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import type { StatementFilesService } from './statement-files.service.ts';
import type { StatementsService } from './statements.service.ts';

export const createStatementRoutes = (
  statements: StatementsService,
  files: StatementFilesService,
  downloads: Downloads,
): Routes<typeof statementRoutes> => ({
  // The service returns the caller's own, and all of them to those who may close months.
  'GET /statements': [signedIn, (ctx, { query }) => statements.list(ctx, query)],
  'GET /statements/:id': [signedIn, (ctx, { params }) => statements.get(ctx, params.id)],
  'GET /statements/:id.pdf': [signedIn, (ctx, { params }) => files.file(ctx, params.id, 'pdf')],
  'GET /statements/:id.csv': [signedIn, (ctx, { params }) => files.file(ctx, params.id, 'csv')],
  'GET /statements/:id.xlsx': [signedIn, (ctx, { params }) => files.file(ctx, params.id, 'xlsx')],
  'POST /statements/:id/download-ticket': [
    signedIn,
    async (ctx, { params, body }) =>
      downloads.ticketFor(ctx, 'statement', await files.fileId(ctx, params.id, body.format)),
  ],
  'POST /statements/:id/seen': [signedIn, (ctx, { params }) => statements.see(ctx, params.id)],
  'POST /statements/:id/query': [
    signedIn,
    (ctx, { params, body }) => statements.query(ctx, params.id, body.text),
  ],
  'POST /statements/:id/answer': [
    monthCloser,
    (ctx, { params, body }) => statements.answer(ctx, params.id, body.text),
  ],
});
