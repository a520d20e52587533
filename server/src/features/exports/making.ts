import type { NewExport } from '@forecourt/contract/exports';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/http/context.ts';
import { AppError } from '../../platform/http/errors.ts';
import { createTurns } from '../../platform/http/turns.ts';
import type { Report } from '../../platform/progress.ts';
import type { AuditService } from '../audit/audit.service.ts';
import type { DealsService } from '../deals/deals.service.ts';
import { insertPiece } from './exports.queries.ts';
import type { Table } from './files/cells.ts';
import { csvFile } from './files/csv.ts';
import { createWallClock } from './files/wall-clock.ts';
import { xlsxFile } from './files/xlsx.ts';
import * as records from './records.queries.ts';
import * as tables from './tables.ts';

/** Bytes of a piece: a file lies in the database as a row of these. */
const PIECE_BYTES = 512 * 1024;

/** Each keeps a connection for as long as it takes: so many of an instance's ten, and the others wait. */
const TURNS = { atOnce: 2, waiting: 200 };

type Parts = {
  db: Db;
  clock: Clock;
  deals: Pick<DealsService, 'exports'>;
  auditLog: Pick<AuditService, 'batches'>;
};

type Made = { rows: number; size: number };

/** How a file is made, from its rows to its pieces in the database, a batch at a time. */
export function createMaking({ db, clock, deals, auditLog }: Parts) {
  const wallClock = createWallClock(clock.timeZone);
  const inTurn = createTurns(TURNS);

  /** What is in it. `total` is how many rows there will be, or could be at most. */
  async function contents(tx: Tx, viewer: Viewer, wanted: NewExport) {
    const table = <R>(columns: Table<R>['columns'], batches: AsyncIterable<readonly R[]>) =>
      ({ columns, batches }) as Table<unknown>;
    if (wanted.kind === 'deals') {
      const { kind: _kind, format: _format, ...filter } = wanted;
      const columns = tables.dealColumnsFor(deals.exports.columnsOf(viewer));
      return {
        total: await deals.exports.count({ db: tx, viewer }, filter),
        table: table(columns, deals.exports.batches(tx, viewer, filter)),
      };
    }
    const total = await records.countRecords(tx, wanted.kind);
    if (wanted.kind === 'emails')
      return { total, table: table(tables.EMAILS, records.readEmails(tx, wanted, clock.timeZone)) };
    if (wanted.kind === 'audit') {
      const { kind: _kind, format: _format, ...filter } = wanted;
      return { total, table: table(tables.AUDIT, auditLog.batches(tx, filter)) };
    }
    const whole = {
      dealerships: () => table(tables.DEALERSHIPS, records.readDealerships(tx)),
      contacts: () => table(tables.CONTACTS, records.readContacts(tx)),
      templates: () => table(tables.TEMPLATES, records.readTemplates(tx)),
      users: () => table(tables.USERS, records.readUsers(tx)),
    };
    return { total, table: whole[wanted.kind]() };
  }

  /**
   * Makes the file of an export as its viewer may see it, of one moment. Throws NOT_FOUND as soon as the export was
   * removed, and what `signal` says when the server stops.
   */
  const makeFile = (
    id: string,
    viewer: Viewer,
    wanted: NewExport,
    report: Report,
    signal: AbortSignal,
  ): Promise<Made> =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const made: Made = { rows: 0, size: 0 };
        const { total, table } = await contents(tx, viewer, wanted);
        const counted: Table<unknown> = { ...table, batches: counting(table.batches) };
        async function* counting(batches: Table<unknown>['batches']) {
          for await (const batch of batches) {
            signal.throwIfAborted();
            yield batch;
            made.rows += batch.length;
            report('rows', total === 0 ? 100 : Math.min(99, (made.rows / total) * 100));
          }
        }
        const file =
          wanted.format === 'csv'
            ? csvFile(counted, wallClock)
            : xlsxFile(counted, wallClock, tables.TITLES[wanted.kind]);
        let position = 0;
        for await (const piece of inPieces(file)) {
          // On a connection of its own: what was made so far can be seen, and this transaction only reads.
          if (!(await insertPiece(db, id, position, piece, made.rows))) throw new AppError('NOT_FOUND');
          position += 1;
          made.size += piece.length;
        }
        return made;
      });

  return (...given: Parameters<typeof makeFile>): Promise<Made> => inTurn(() => makeFile(...given));
}

/** The same bytes in pieces of one size, the last one smaller. */
async function* inPieces(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of file) {
    parts.push(part);
    length += part.length;
    if (length < PIECE_BYTES) continue;
    const whole = Buffer.concat(parts);
    let at = 0;
    for (; at + PIECE_BYTES <= length; at += PIECE_BYTES) yield whole.subarray(at, at + PIECE_BYTES);
    parts = [whole.subarray(at)];
    length -= at;
  }
  if (length > 0) yield Buffer.concat(parts);
}
