import { Readable } from 'node:stream';
import type { AccountingProgram } from '@forecourt/contract/months';
import { statementTitles } from '@forecourt/contract/statement-words';
import type { ClosedStatement, StatementFormat, StatementKind } from '@forecourt/contract/statements';
import type { Clock } from '../../platform/clock.ts';
import type { Context } from '../../platform/http/context.ts';
import type { Download } from '../../platform/http/downloads.ts';
import { AppError } from '../../platform/http/errors.ts';
import { asFileName, typeOf } from '../../platform/http/file-name.ts';
import { createSemaphore } from '../../platform/http/semaphore.ts';
import { csvFile } from '../../platform/table-files/csv.ts';
import { createWallClock } from '../../platform/table-files/wall-clock.ts';
import { xlsxFile } from '../../platform/table-files/xlsx.ts';
import { accountingFile } from './accounting-file.ts';
import { statementPdf } from './statement-pdf.ts';
import { statementTable } from './statement-table.ts';
import type { StatementsService } from './statements.service.ts';

type Parts = { statements: Pick<StatementsService, 'get' | 'list'>; clock: Clock };

/** A PDF of 500 lines takes the processor for a third of a second: one at a time, in turn for each user. */
const PDF_LIMITS = { permits: 1, maxQueued: 200, maxQueuedEach: 50 };

const PROGRAM_NAMES: Readonly<Record<AccountingProgram, string>> = { xero: 'Xero', myob: 'MYOB' };

/** Files of statements (docs/product/month-close.md, Files). Each shows what its viewer sees on the screen. */
export function createStatementFiles({ statements, clock }: Parts) {
  const wallClock = createWallClock(clock.timeZone);
  const withPermit = createSemaphore(PDF_LIMITS);

  const nameOf = ({ kind, number, recipientName }: ClosedStatement, format: StatementFormat): string =>
    asFileName(`${statementTitles[kind]} ${number} ${recipientName}`, format);

  const pdfOf = (statement: ClosedStatement, party: string): Promise<Buffer> =>
    withPermit(party, () => statementPdf(statement, clock.timeZone));

  async function file(ctx: Context, id: string, format: StatementFormat): Promise<Download> {
    const statement = await statements.get(ctx, id);
    const name = nameOf(statement, format);
    const type = typeOf(name);
    if (format === 'pdf') {
      const content = await pdfOf(statement, ctx.viewer.userId);
      return { name, size: content.length, type, open: () => Readable.from([content]) };
    }
    const table = statementTable(statement, clock);
    const pieces =
      format === 'csv'
        ? csvFile(table, wallClock)
        : xlsxFile(table, wallClock, statementTitles[statement.kind]);
    return { name, type, open: () => Readable.from(pieces, { objectMode: false }) };
  }

  return {
    /** Throws NOT_FOUND for a statement that the viewer may not read. */
    file,

    /** Returns a statement as PDF with the name of its file. */
    async pdf(ctx: Context, statement: ClosedStatement): Promise<{ name: string; content: Buffer }> {
      return { name: nameOf(statement, 'pdf'), content: await pdfOf(statement, ctx.viewer.userId) };
    },

    /** Throws NOT_FOUND for a statement that the viewer may not read. Returns the id of its file for a ticket. */
    async fileId(ctx: Context, id: string, format: StatementFormat): Promise<string> {
      await statements.get(ctx, id);
      return `${id}.${format}`;
    },

    /** Opens a file by the id that `fileId` returned. */
    openFile(ctx: Context, fileId: string): Promise<Download> {
      const [id, format] = fileId.split('.') as [string, StatementFormat];
      return file(ctx, id, format);
    },

    /**
     * Returns the current statements of a month as bills or invoices. `account` is the code of the account to which the
     * program posts them. Throws NOT_FOUND if the month has none that the viewer may read.
     */
    async accounting(
      ctx: Context,
      month: string,
      {
        kind,
        program,
        account = '',
      }: { kind: StatementKind; program: AccountingProgram; account?: string | undefined },
    ): Promise<Download> {
      const { items } = await statements.list(ctx, { month, kind });
      const current = items.filter(({ isSuperseded }) => !isSuperseded);
      if (current.length === 0)
        throw new AppError('NOT_FOUND', { message: 'This month has no current statements of this kind.' });
      const text = accountingFile(program, kind, current, {
        account,
        dateOf: (instant) => clock.businessDate(new Date(instant)),
      });
      const content = Buffer.from(text);
      const what = kind === 'commission' ? 'bills' : 'invoices';
      const name = asFileName(`${PROGRAM_NAMES[program]} ${what} ${month}`, 'csv');
      return { name, size: content.length, type: typeOf(name), open: () => Readable.from([content]) };
    },
  };
}

export type StatementFilesService = ReturnType<typeof createStatementFiles>;
