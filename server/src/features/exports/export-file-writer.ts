import type { NewExport } from '@forecourt/contract/exports';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Read } from '../../platform/db/replica.ts';
import type { FileDraft, FileRef } from '../../platform/files/file-folder.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import type { Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createSemaphore } from '../../platform/http/semaphore.ts';
import type { Report } from '../../platform/jobs/progress.ts';
import type { Table } from '../../platform/table-files/cells.ts';
import { csvFile } from '../../platform/table-files/csv.ts';
import { createWallClock } from '../../platform/table-files/wall-clock.ts';
import { xlsxFile } from '../../platform/table-files/xlsx.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { DealsService } from '../deals/deals.service.ts';
import type { ExportedDeal } from '../deals/list/deal-list.service.ts';
import type { DoNotContactService } from '../do-not-contact/do-not-contact.service.ts';
import { updateWritten } from './exports.queries.ts';
import * as records from './records.queries.ts';
import * as tables from './tables.ts';

/** Bytes after which the progress is recorded, which also detects a deletion. */
const STEP_BYTES = 512 * 1024;

/** An export occupies a connection: at most two of an instance's ten, of different users. Others are queued. */
const CONCURRENCY = { permits: 2, permitsEach: 1, maxQueued: 200 };

export type ExportFileParts = {
  db: Db;
  /** Reads the rows; an export that the replica ends begins again on the primary. */
  read: Read;
  clock: Clock;
  deals: Pick<DealsService, 'exports' | 'customFields'>;
  doNotContact: Pick<DoNotContactService, 'find'>;
  auditLog: Pick<AuditService, 'batches'>;
  files: FileStore;
};

/** A complete file, which the caller stores or discards. */
type WrittenFile = { rows: number; draft: FileDraft; ref: FileRef };

type Writing = { id: string; viewer: Viewer; request: NewExport; report: Report; signal: AbortSignal };

/** Writes files in batches, from rows to a draft in the data folder. */
export function createExportFileWriter({
  db,
  read,
  clock,
  deals,
  doNotContact,
  auditLog,
  files,
}: ExportFileParts) {
  const wallClock = createWallClock(clock.timeZone);
  const withPermit = createSemaphore(CONCURRENCY);

  /** Adds whether the phone number and email address of each row are on the Do not contact list. */
  async function* withMarks(
    tx: Tx,
    viewer: Viewer,
    batches: AsyncIterable<ExportedDeal[]>,
  ): AsyncGenerator<tables.MarkedDeal[]> {
    for await (const batch of batches) {
      const texts = batch.flatMap(({ customerNumber = '', customerEmail = '' }) => [
        customerNumber,
        customerEmail,
      ]);
      const entries = await doNotContact.find({ db: tx, viewer }, texts);
      yield batch.map((deal) => ({
        ...deal,
        isPhoneListed: entries.has(deal.customerNumber ?? ''),
        isEmailListed: entries.has(deal.customerEmail?.toLowerCase() ?? ''),
      }));
    }
  }

  /** Returns the table to write. `total` is the number of rows, or an upper limit. */
  async function contents(tx: Tx, viewer: Viewer, request: NewExport) {
    const table = <R>(columns: Table<R>['columns'], batches: AsyncIterable<readonly R[]>) =>
      ({ columns, batches }) as Table<unknown>;
    if (request.kind === 'deals') {
      const filter = filterOf(request);
      const columns = [
        ...tables.dealColumnsFor(deals.exports.columnsOf(viewer)),
        ...tables.customColumns(await deals.customFields(tx, viewer)),
      ];
      return {
        total: await deals.exports.count({ db: tx, viewer }, filter),
        table: table(columns, withMarks(tx, viewer, deals.exports.batches(tx, viewer, filter))),
      };
    }
    const total = await records.countRecords(tx, request.kind);
    if (request.kind === 'emails')
      return { total, table: table(tables.EMAILS, records.readEmails(tx, request, clock.timeZone)) };
    if (request.kind === 'audit')
      return { total, table: table(tables.AUDIT, auditLog.batches(tx, filterOf(request))) };
    return { total, table: table(tables.WHOLE[request.kind], records.readWhole(tx, request.kind)) };
  }

  /**
   * Writes the file of an export as its viewer may see it, from one snapshot. Throws NOT_FOUND if the export was
   * deleted, and the reason of `signal` if it was cancelled or the server stops.
   */
  async function writeFile(source: Db, writing: Writing): Promise<WrittenFile> {
    const draft = await files.folder.createDraft();
    try {
      const rows = await writeRows(source, draft, writing);
      return { rows, draft, ref: await draft.finish() };
    } catch (error) {
      await draft.discard();
      throw error;
    }
  }

  /** Returns the number of rows. */
  const writeRows = (
    source: Db,
    draft: FileDraft,
    { id, viewer, request, report, signal }: Writing,
  ): Promise<number> =>
    source
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        let rows = 0;
        let size = 0;
        let recorded = 0;
        const { total, table } = await contents(tx, viewer, request);
        const counted: Table<unknown> = { ...table, batches: counting(table.batches) };
        async function* counting(batches: Table<unknown>['batches']) {
          for await (const batch of batches) {
            signal.throwIfAborted();
            yield batch;
            rows += batch.length;
            report('rows', total === 0 ? 100 : Math.min(99, (rows / total) * 100));
          }
        }
        const file =
          request.format === 'csv'
            ? csvFile(counted, wallClock)
            : xlsxFile(counted, wallClock, tables.TITLES[request.kind]);
        for await (const piece of file) {
          await draft.write(piece);
          size += piece.length;
          if (size - recorded < STEP_BYTES) continue;
          recorded = size;
          // Uses a separate connection, so that progress is visible; this transaction only reads.
          if (!(await updateWritten(db, id, { row_count: rows, size }))) throw new AppError('NOT_FOUND');
        }
        return rows;
      });

  return (writing: Writing): Promise<WrittenFile> =>
    withPermit(writing.viewer.userId, () => read((source) => writeFile(source, writing)));
}

export const filterOf = <E extends NewExport>({ kind: _kind, format: _format, ...filter }: E) => filter;
