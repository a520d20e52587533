import type { Viewer } from '../../platform/http/context.ts';
import { allow, mayCloseMonths } from '../../platform/http/policy.ts';
import type { StatementRow } from './statements.queries.ts';

type Row = Pick<StatementRow, 'owner_id' | 'is_superseded' | 'notes'>;

/** Whether the newest query about a statement has no answer. */
export const isQueried = ({ notes }: Row): boolean =>
  notes.findLast(({ kind }) => kind === 'query' || kind === 'answer')?.kind === 'query';

/** Who may do what with a statement (docs/product/month-close.md, Statements). */
export const abilitiesOf = (viewer: Viewer, row: Row) => {
  const isOwn = allow(row.owner_id === viewer.userId, 'NOT_YOURS');
  const current = row.is_superseded ? 'SUPERSEDED' : isOwn;
  const closer = allow(mayCloseMonths(viewer), 'NO_CLOSING');
  return {
    see: row.notes.some(({ kind }) => kind === 'seen') ? 'IS_SEEN' : current,
    query: current,
    answer: isQueried(row) ? closer : 'NO_QUERY',
    send: row.is_superseded ? 'SUPERSEDED' : closer,
  };
};

/** The column on which each kind of statement depends: without it there is nothing to show. */
export const COLUMN = { commission: 'commission', account: 'saleAmount' } as const;
