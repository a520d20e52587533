import type { DealColumn } from '@forecourt/contract/deal-fields';
import type { MonthCheck } from '@forecourt/contract/month-checks';
import type {
  AdjustedField,
  ClosedStatement,
  StatementEntry,
  StatementKind,
} from '@forecourt/contract/statements';
import { audit, auditMany } from '../../platform/audit.ts';
import { toInstant } from '../../platform/db/database.ts';
import { listClosers } from '../../platform/http/closed-months.ts';
import { inTransaction, type Context, type TxContext, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalid } from '../../platform/http/errors.ts';
import { mayCloseMonths, requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import { notify } from '../../platform/notify.ts';
import type { DealsService } from '../deals/deals.service.ts';
import { abilitiesOf, COLUMN, isQueried } from './months.policy.ts';
import { lockCloses } from './months.queries.ts';
import * as queries from './statements.queries.ts';

type Parts = { deals: Pick<DealsService, 'sees' | 'canOpenMonth'> };
/** The column of which a waiver tells that values are missing. */
const CHECKED_COLUMNS: Partial<Record<MonthCheck, DealColumn>> = {
  saleMissing: 'saleAmount',
  costMissing: 'costAmount',
  itemsMissing: 'items',
  dealNumberMissing: 'dealNumber',
  phoneMissing: 'customerNumber',
  farFromPrice: 'saleAmount',
  ownerInactive: 'owner',
  dealershipInactive: 'dealershipId',
  rateMissing: 'commissionRate',
};

const KINDS = ['commission', 'account'] as const;

/** Maximum characters of a note. */
const MAX_NOTE = 2000;
const shortened = (text: string): string =>
  text.length > MAX_NOTE ? `${text.slice(0, MAX_NOTE - 1)}…` : text;

/** Statements of closed months (docs/product/month-close.md, Statements). */
export function createStatementsService({ deals }: Parts) {
  /** A person reads their own commission statements, and who may close months reads all. */
  const mayRead = (viewer: Viewer, kind: StatementKind, month: string, ownerId: string | null): boolean =>
    deals.sees(viewer, COLUMN[kind]) &&
    (ownerId === viewer.userId || (mayCloseMonths(viewer) && deals.canOpenMonth(viewer, month)));

  /** Returns a statement without the columns that are hidden from the viewer. */
  function present(viewer: Viewer, row: queries.FullStatementRow): ClosedStatement {
    const sees = {
      customerName: deals.sees(viewer, 'customerName'),
      dealNumber: deals.sees(viewer, 'dealNumber'),
      dealershipName: deals.sees(viewer, 'dealershipId'),
      ownerName: deals.sees(viewer, 'owner'),
      status: deals.sees(viewer, 'status'),
      items: deals.sees(viewer, 'items'),
      saleAmount: deals.sees(viewer, 'saleAmount'),
      costAmount: deals.sees(viewer, 'costAmount'),
      // A dealership is not told of commissions.
      commissionRate: row.content.kind === 'commission' && deals.sees(viewer, 'commissionRate'),
    } as const;
    const isShown = (field: string): boolean => sees[field as keyof typeof sees] ?? true;
    const withoutHidden = <T extends object>(values: T): T =>
      Object.fromEntries(Object.entries(values).filter(([field]) => isShown(field))) as T;
    const { lines, adjustments, waivers, ...content } = row.content;
    return {
      _id: row.id,
      ...content,
      lines: lines.map(withoutHidden),
      adjustments: adjustments.map((one) => ({
        ...withoutHidden(one),
        changes: one.changes.filter(({ field }) => isShown(field satisfies AdjustedField)),
      })),
      waivers: waivers.filter(({ check }) => deals.sees(viewer, CHECKED_COLUMNS[check] ?? 'status')),
      isSuperseded: row.is_superseded,
      digest: row.digest,
      notes: row.notes.map(({ id, at, ...note }) => ({ _id: id, ...note, at: toInstant(at) })),
      abilities: abilitiesOf(viewer, row),
    };
  }

  async function load(ctx: Context, id: string): Promise<queries.FullStatementRow> {
    const row = await queries.findStatement(ctx.db, id);
    if (!row || !mayRead(ctx.viewer, row.content.kind, row.content.month, row.owner_id))
      throw new AppError('NOT_FOUND');
    return row;
  }

  /** Adds a note to a statement and tells these people. */
  const note = (
    ctx: Context,
    id: string,
    kind: 'seen' | 'query' | 'answer',
    text: string,
  ): Promise<ClosedStatement> =>
    inTransaction(ctx, async (inner) => {
      const { userId } = ctx.viewer;
      await queries.lockStatement(inner.db, id);
      const row = await load(inner, id);
      const abilities = abilitiesOf(ctx.viewer, row);
      requireAbility(abilities[kind === 'seen' ? 'see' : kind]);
      await queries.insertNotes(inner.db, [
        { id: newId(), statement_id: id, kind, text, created_by: userId },
      ]);
      const told =
        kind === 'answer'
          ? [row.owner_id!]
          : kind === 'query'
            ? (await listClosers(inner.db)).map((one) => one.id)
            : [];
      const notification = kind === 'answer' ? 'statementAnswer' : 'statementQuery';
      await notify(
        inner.db,
        notification,
        userId,
        told.map((one) => ({ userId: one, recordId: id })),
      );
      await audit(
        inner,
        `statement.${kind === 'query' ? 'queried' : kind === 'answer' ? 'answered' : 'seen'}`,
        id,
        { after: { name: row.content.number, ...(text && { text }) } },
      );
      return present(ctx.viewer, await load(inner, id));
    });

  /**
   * Returns account statements in this order. Throws NOT_FOUND unless the viewer may read each of them, and a 400 that
   * names those that cannot be sent.
   */
  async function listForMail(ctx: Context, ids: readonly string[]): Promise<ClosedStatement[]> {
    const rows = new Map((await queries.findStatements(ctx.db, ids)).map((row) => [row.id, row]));
    const found = ids.map((id) => {
      const row = rows.get(id);
      if (!row || !mayRead(ctx.viewer, row.content.kind, row.content.month, row.owner_id))
        throw new AppError('NOT_FOUND');
      return row;
    });
    const wrong = found.flatMap(({ content: { kind, number }, is_superseded: isSuperseded }, index) => {
      const message =
        kind === 'commission'
          ? `${number} is the statement of a person`
          : isSuperseded && `${number} is superseded: its month was reopened`;
      return message ? [{ path: ['ids', index], message }] : [];
    });
    if (wrong.length > 0) throw invalid(wrong);
    return found.map((row) => present(ctx.viewer, row));
  }

  return {
    listForMail,

    /** Like `listForMail`. Until the transaction ends, nobody else sends them, and no month is reopened. */
    async lockForMail(ctx: TxContext, ids: readonly string[]): Promise<ClosedStatement[]> {
      await lockCloses(ctx.db);
      for (const id of ids.toSorted()) await queries.lockStatement(ctx.db, id);
      return listForMail(ctx, ids);
    },

    /** Records that statements were sent to these addresses. Requires `lockForMail`. */
    async noteSent(
      ctx: TxContext,
      sent: readonly { statement: ClosedStatement; addresses: readonly string[] }[],
    ): Promise<void> {
      const notes = sent.map(({ statement, addresses }) => ({
        statement,
        text: shortened(addresses.join(', ')),
      }));
      await queries.insertNotes(
        ctx.db,
        notes.map(({ statement, text }) => ({
          id: newId(),
          statement_id: statement._id,
          kind: 'sent' as const,
          text,
          created_by: ctx.viewer.userId,
        })),
      );
      await auditMany(
        ctx,
        'statement.sent',
        notes.map(({ statement, text }) => ({
          recordId: statement._id,
          version: null,
          before: null,
          after: { name: statement.number, text },
        })),
      );
    },

    visibleIds: async (db: Context['db'], viewer: Viewer, ids: readonly string[]): Promise<Set<string>> =>
      new Set(
        (await queries.listOwners(db, ids))
          .filter(({ kind, month: of, owner_id }) => mayRead(viewer, kind, of, owner_id))
          .map(({ id }) => id),
      ),

    async list(
      ctx: Context,
      { month, kind }: { month?: string | undefined; kind?: StatementKind | undefined },
    ) {
      const { viewer } = ctx;
      const kinds = KINDS.filter((one) => (kind ?? one) === one && deals.sees(viewer, COLUMN[one]));
      const ownerId = mayCloseMonths(viewer) ? undefined : viewer.userId;
      const stored = await queries.listStatements(ctx.db, { month, kinds, ownerId });
      const rows = stored.filter((row) => mayRead(viewer, row.head.kind, row.head.month, row.owner_id));
      return wholeList(
        rows.map((row): StatementEntry => {
          const sent = row.notes.findLast((one) => one.kind === 'sent');
          return {
            _id: row.id,
            ...row.head,
            rows: row.rows,
            isSuperseded: row.is_superseded,
            isSeen: row.notes.some((one) => one.kind === 'seen'),
            isQueried: isQueried(row),
            sentAt: sent ? toInstant(sent.at) : null,
          };
        }),
      );
    },

    get: async (ctx: Context, id: string): Promise<ClosedStatement> =>
      present(ctx.viewer, await load(ctx, id)),

    /** Throws a 403 unless it is the viewer’s own current statement. */
    see: (ctx: Context, id: string) => note(ctx, id, 'seen', ''),

    query: (ctx: Context, id: string, text: string) => note(ctx, id, 'query', text),

    /** Throws a 403 if nothing is asked. */
    answer: (ctx: Context, id: string, text: string) => note(ctx, id, 'answer', text),
  };
}

export type StatementsService = ReturnType<typeof createStatementsService>;
