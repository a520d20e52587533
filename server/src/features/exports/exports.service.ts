import type { Export, NewExport } from '@forecourt/contract/exports';
import { audit, auditMany, SYSTEM } from '../../platform/audit.ts';
import { lockName } from '../../platform/db/database.ts';
import { defineJob } from '../../platform/define-job.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { readInChunks, type Download } from '../../platform/http/downloads.ts';
import { AppError, requireFound } from '../../platform/http/errors.ts';
import { permissionsDigestOf } from '../../platform/http/permissions-digest.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import type { Progress } from '../../platform/jobs/progress.ts';
import { notify } from '../../platform/notify.ts';
import { createExportFileWriter, filterOf, type ExportFileParts } from './export-file-writer.ts';
import { canExport, visibleOwner } from './exports.policy.ts';
import * as queries from './exports.queries.ts';
import { TITLES } from './tables.ts';

/** Maximum concurrent exports of one user. */
const MAX_CONCURRENT = 3;

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const LOST = 'The server stopped while this was being created. Please start it again.';

type Parts = ExportFileParts & { progress: Progress };

/** Exports (docs/product/exports-and-reports.md, Exports): files created in the background and stored for a week. */
export function createExportsService(parts: Parts) {
  const { db, clock, progress, deals, files } = parts;
  const writeFile = createExportFileWriter(parts);

  const load = async (ctx: Context, id: string): Promise<queries.ExportRow> =>
    requireFound(await queries.findExport(ctx.db, visibleOwner(ctx.viewer), id));

  /** Starts writing the file after the export and its job were committed. Notifies the user at the end. */
  function begin({ viewer, origin }: Context, id: string, job: string, request: NewExport): void {
    const done = progress.run(viewer, job, async (report, signal) => {
      const { rows, draft, ref } = await writeFile({ id, viewer, request, report, signal });
      const result = { exportId: id };
      try {
        await db.transaction().execute(async (tx) => {
          await files.addDraft(tx, draft, ref);
          if (!(await queries.finishExport(tx, id, { row_count: rows, ...ref })))
            throw new AppError('NOT_FOUND');
          await progress.succeed(tx, job, result);
          const after = { rows, size: ref.size };
          await audit({ db: tx, viewer, origin }, 'export.finished', id, { after });
          await notify(tx, 'exportReady', null, [{ userId: viewer.userId, recordId: id }]);
        });
      } catch (error) {
        await draft.discard();
        throw error;
      }
      return result;
    });
    // The job records a deletion, cancellation or failure.
    done.catch(() => {});
  }

  /** Returns a finished export. Throws unless the viewer may download it now. */
  async function finished(ctx: Context, id: string): Promise<queries.ExportRow> {
    const row = await load(ctx, id);
    requireAbility(canExport(ctx.viewer, row.kind as Export['kind']));
    if (ctx.viewer.role !== 'admin' && !row.permissions_hash.equals(digestOf(ctx.viewer))) {
      throw new AppError('INSUFFICIENT_PERMISSIONS', {
        message: 'What you may see has changed since this was exported. Please export it again.',
      });
    }
    if (row.finished_at === null) {
      throw new AppError('CONFLICT', {
        message: 'This export is not finished. There is no file to download.',
      });
    }
    return row;
  }

  async function cleanUp(): Promise<void> {
    await db.transaction().execute(async (tx) => {
      const expired = await queries.deleteExpired(tx);
      const records = expired.map(({ id, name }) => ({ recordId: id, before: { name } }));
      await auditMany({ ...SYSTEM, db: tx }, 'export.deleted', records);
    });
    await queries.deleteIncomplete(db);
  }

  return {
    list: async (ctx: Context): Promise<{ items: Export[]; total: number }> =>
      wholeList((await queries.listExports(ctx.db, visibleOwner(ctx.viewer))).map(present)),

    get: async (ctx: Context, id: string): Promise<Export> => present(await load(ctx, id)),

    /** Returns at once; `GET /exports/{id}` and the job report the progress. */
    create: (ctx: Context, request: NewExport): Promise<Export> =>
      inTransaction(ctx, async (inner) => {
        requireAbility(canExport(ctx.viewer, request.kind));
        // Validates the filter before the background work starts.
        if (request.kind === 'deals') await deals.exports.count(inner, filterOf(request));
        await lockName(inner.db, `exports:${ctx.viewer.userId}`);
        const running = (await queries.listExports(inner.db, ctx.viewer.userId)).filter(
          (row) => row.is_running,
        );
        if (running.length >= MAX_CONCURRENT) {
          throw new AppError('TOO_MANY_REQUESTS', {
            message: `${MAX_CONCURRENT} of your exports are still running. Wait for one of them, or cancel it.`,
            retryAfterSeconds: 10,
          });
        }
        const { kind, format } = request;
        const filter = presentFilter(request);
        const id = newId();
        const job = await progress.insert(inner.db, ctx.viewer, 'export');
        await queries.insertExport(inner.db, {
          id,
          job_id: job,
          user_id: ctx.viewer.userId,
          kind,
          format,
          name: `${TITLES[kind]} ${clock.businessDate()}.${format}`,
          filter: JSON.stringify(filter),
          permissions_hash: digestOf(ctx.viewer),
        });
        await audit(inner, 'export.created', id, { after: { kind, format, ...filter } });
        inner.afterCommit(() => begin(ctx, id, job, request));
        return present(await load(inner, id));
      }),

    /** Throws the errors of `download`. */
    requireFile: async (ctx: Context, id: string): Promise<void> => void (await finished(ctx, id)),

    /** Each download is audited. */
    async download(ctx: Context, id: string): Promise<Download> {
      const row = await finished(ctx, id);
      await inTransaction(ctx, (inner) =>
        audit(inner, 'export.downloaded', id, { after: { name: row.name } }),
      );
      return {
        name: row.name,
        size: row.size,
        type: TYPES[row.format as Export['format']],
        open: async () =>
          row.digest
            ? files.open({ digest: row.digest, size: row.size })
            : readInChunks(row.size, (position) => queries.readChunk(db, id, position)),
      };
    },

    /** A running export stops too, because its worker notices the cancelled job. */
    async remove(ctx: Context, id: string): Promise<undefined> {
      await inTransaction(ctx, async (inner) => {
        const row = await load(inner, id);
        await queries.deleteExport(inner.db, id);
        if (row.is_running && row.job_id !== null) {
          const job = { id: row.job_id, kind: 'export', user_id: row.user_id };
          await progress.cancel(inner.db, job, ctx.viewer.name);
        }
        const action = row.is_running ? 'export.cancelled' : 'export.deleted';
        await audit(inner, action, id, { before: { name: row.name } });
      });
    },

    cleanUp: defineJob({
      name: 'export-clean-up',
      schedule: { cron: '* * * * *' },
      run: cleanUp,
    }),
  };
}

export type ExportsService = ReturnType<typeof createExportsService>;

/** Returns a digest of the viewer's permissions, to detect a change. */
const digestOf = (viewer: Viewer): Buffer => Buffer.from(permissionsDigestOf(viewer), 'base64url');

/** Returns a filter for the list and the log: a selection as its size, conditions on columns as JSON. */
function presentFilter(request: NewExport): Export['filter'] {
  const entries = Object.entries(filterOf(request)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      if (Array.isArray(value)) return ['rows', value.length];
      return [name, typeof value === 'string' ? value : JSON.stringify(value)];
    }),
  );
}

function stateOf({ finished_at, is_running, job_status }: queries.ExportRow): Export['state'] {
  if (finished_at !== null) return 'ready';
  if (is_running) return 'running';
  return job_status === 'cancelled' ? 'cancelled' : 'failed';
}

function present(row: queries.ExportRow): Export {
  const state = stateOf(row);
  return {
    _id: row.id,
    kind: row.kind as Export['kind'],
    format: row.format as Export['format'],
    name: row.name,
    filter: row.filter as Export['filter'],
    createdBy: row.user_id,
    createdByName: row.user_name,
    createdAt: row.created_at,
    state,
    percent: state === 'ready' ? 100 : row.percent,
    rows: row.row_count,
    size: row.size,
    message: state === 'failed' || state === 'cancelled' ? (row.message ?? LOST) : null,
    expiresAt: row.expires_at,
  };
}
