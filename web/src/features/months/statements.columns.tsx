import type { StatementEntry } from '@forecourt/contract/statements';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCount, formatMoney, formatMonth } from '../../platform/formats.ts';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/statements.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { valueColumn } from '../../ui/table/columns.tsx';

const marksOf = ({ isSuperseded, isQueried, isSeen, sentAt }: StatementEntry): string[] => [
  ...(isSuperseded ? [texts.badges.superseded] : []),
  ...(isQueried ? [texts.badges.queried] : []),
  ...(isSeen ? [texts.badges.seen] : []),
  ...(sentAt === null ? [] : [texts.badges.sent]),
];

const tones: Record<string, 'warn' | 'good' | 'accent'> = {
  [texts.badges.queried]: 'warn',
  [texts.badges.seen]: 'good',
  [texts.badges.sent]: 'accent',
};

const Marks = ({ of }: { of: StatementEntry }): ReactNode => (
  <span className="ui-row ui-gap-1">
    {marksOf(of).map((mark) => (
      <StatusBadge key={mark} tone={tones[mark] ?? 'neutral'}>
        {mark}
      </StatusBadge>
    ))}
  </span>
);

/** The first column: the link to the statement; on a phone also what other columns show. */
const linkColumn = (
  id: string,
  header: string,
  of: (statement: StatementEntry) => string,
  more: (statement: StatementEntry) => string,
): DataColumn<StatementEntry> =>
  valueColumn({
    id,
    header,
    of,
    filter: 'text',
    wideOnly: false,
    render: (statement) => (
      <span className="ui-stack ui-gap-1">
        <Link className="ui-plain ui-strong" to={paths.closedStatement(statement._id)}>
          {of(statement)}
        </Link>
        <span className="ui-sub ui-phone-only">{more(statement)}</span>
        <span className="ui-phone-only">
          <Marks of={statement} />
        </span>
      </span>
    ),
  });

const number = valueColumn<StatementEntry>({
  id: 'number',
  header: texts.number,
  width: '130px',
  of: (statement) => statement.number,
});

const figures: readonly DataColumn<StatementEntry>[] = [
  valueColumn({
    id: 'rows',
    header: texts.rows,
    width: '80px',
    align: 'right',
    of: ({ rows }) => rows,
    render: ({ rows }) => formatCount(rows),
    filter: 'number',
  }),
  valueColumn({
    id: 'total',
    header: texts.total,
    width: '130px',
    align: 'right',
    of: ({ totals }) => totals.total,
    render: ({ totals }) => formatMoney(totals.total),
    filter: 'number',
    wideOnly: false,
  }),
  {
    id: 'state',
    header: texts.state,
    width: '220px',
    filterBy: { kind: 'choice', of: marksOf },
    render: (statement) => <Marks of={statement} />,
    wideOnly: true,
  },
];

/** The columns of the statements of one month. */
export const columnsInMonth: readonly DataColumn<StatementEntry>[] = [
  linkColumn(
    'recipient',
    texts.recipient,
    ({ recipientName }) => recipientName,
    (statement) => statement.number,
  ),
  number,
  ...figures,
];

/** The columns of the statements of a person in all months. */
export const ownColumns: readonly DataColumn<StatementEntry>[] = [
  {
    ...linkColumn(
      'month',
      texts.month,
      ({ month }) => formatMonth(month),
      (statement) => statement.number,
    ),
    sortBy: ({ month }) => month,
  },
  number,
  ...figures,
];

/** The columns of all statements. */
export const allColumns: readonly DataColumn<StatementEntry>[] = [
  columnsInMonth[0]!,
  {
    id: 'month',
    header: texts.month,
    width: '150px',
    sortBy: ({ month }) => month,
    filterBy: { kind: 'choice', of: ({ month }) => formatMonth(month) },
    render: ({ month }) => formatMonth(month),
    wideOnly: true,
  },
  valueColumn({
    id: 'kind',
    header: texts.kind,
    width: '190px',
    of: ({ kind }) => texts.kinds[kind],
    filter: 'choice',
    wideOnly: 'desktop',
  }),
  number,
  ...figures,
];
