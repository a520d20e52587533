import { centsOf } from '@forecourt/contract/deal-groups';
import type { Balance, MonthOverview } from '@forecourt/contract/months';
import type { StatementEntry, StatementKind } from '@forecourt/contract/statements';
import type { ReactNode } from 'react';
import { formatMoney } from '../../platform/formats.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { texts } from '../../texts/months.ts';
import { texts as statementTexts } from '../../texts/statements.ts';
import { Card } from '../../ui/Card.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { Loaded, LoadingCard } from '../../ui/Loaded.tsx';
import { statementsKey } from './months.queries.ts';
import { StatementActions } from './StatementActions.tsx';
import { columnsInMonth } from './statements.columns.tsx';
import { statedOn, statementsOfQuery } from './statements.queries.ts';
import styles from './ClosedMonth.module.css';

const KINDS = ['commission', 'account'] as const;

type ClosedMonthProps = { month: string; closing: NonNullable<MonthOverview['closing']> };

/** The balance and the statements of a closed month. */
export function ClosedMonth({ month, closing }: ClosedMonthProps): ReactNode {
  const query = useStatements(month);
  const current = query.data?.items.filter(({ isSuperseded }) => !isSuperseded);
  return (
    <>
      <BalanceCard closing={closing} />
      <Loaded of={query} message={statementTexts.loadFailed} loading={<LoadingCard />}>
        {current &&
          KINDS.map((kind) => <StatementList key={kind} month={month} kind={kind} statements={current} />)}
      </Loaded>
    </>
  );
}

function useStatements(month: string) {
  return useLiveQuery(statementsOfQuery(month), statedOn, statementsKey);
}

/** The statements of earlier closings of a month, folded. */
export function SupersededStatements({ month }: { month: string }): ReactNode {
  const { data } = useStatements(month);
  const superseded = data?.items.filter(({ isSuperseded }) => isSuperseded) ?? [];
  if (superseded.length === 0) return null;
  return (
    <details>
      <summary className={styles.summary}>{statementTexts.superseded(superseded.length)}</summary>
      <DataTable
        label={statementTexts.superseded(superseded.length)}
        columns={columnsInMonth}
        rows={superseded}
        rowKey={({ _id }) => _id}
        rowLabel={({ number, recipientName }) => `${recipientName} ${number}`}
        empty={null}
      />
    </details>
  );
}

type StatementListProps = { month: string; kind: StatementKind; statements: readonly StatementEntry[] };

function StatementList({ month, kind, statements }: StatementListProps): ReactNode {
  const ofKind = statements.filter((statement) => statement.kind === kind);
  return (
    <section aria-label={statementTexts.listOf[kind]}>
      <div className="ui-row ui-between ui-mb-2">
        <h2 className="ui-title">{statementTexts.listOf[kind]}</h2>
        <StatementActions month={month} kind={kind} statements={ofKind} />
      </div>
      <DataTable
        label={statementTexts.listOf[kind]}
        name={`statements-${kind}`}
        columns={columnsInMonth}
        rows={ofKind}
        rowKey={({ _id }) => _id}
        rowLabel={({ recipientName }) => recipientName}
        empty={<p className="ui-quiet ui-pad">{statementTexts.noneOf[kind]}</p>}
      />
    </section>
  );
}

/** Returns what the rows have more than statements and changes, in AUD, to the cent. */
const differenceOf = ({ statements, adjustments, rows }: Balance): number =>
  (centsOf(rows) - centsOf(statements) - centsOf(adjustments)) / 100;

/** Shows that statements and changes since the close add up to the rows, or that they do not. */
function BalanceCard({ closing }: Pick<ClosedMonthProps, 'closing'>): ReactNode {
  const balances = KINDS.flatMap((kind) => {
    const balance = closing[kind];
    return balance === null ? [] : [{ kind, ...balance, difference: differenceOf(balance) }];
  });
  const wrong = balances.filter(({ difference }) => difference !== 0);
  if (balances.length === 0) return null;
  return (
    <Card title={texts.balance}>
      <div className="ui-stack ui-gap-3">
        {wrong.map(({ kind, difference }) => (
          <FormMessage key={kind} text={texts.unbalanced(texts.kinds[kind], difference)} />
        ))}
        {/* Focusable, so that it can be scrolled by keyboard: large amounts are wider than a phone. */}
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={styles.frame} role="region" aria-label={texts.balanceTable} tabIndex={0}>
          <table className={`ui-table ${styles.balance}`} data-figures>
            <thead>
              <tr>
                <th scope="col">{texts.kind}</th>
                <th scope="col">{texts.ofStatements}</th>
                <th scope="col">{texts.changesSince}</th>
                <th scope="col">{texts.ofRows}</th>
              </tr>
            </thead>
            <tbody>
              {balances.map(({ kind, statements, adjustments, rows }) => (
                <tr key={kind}>
                  <th scope="row">{texts.kinds[kind]}</th>
                  <td>{formatMoney(statements)}</td>
                  <td>{formatMoney(adjustments)}</td>
                  <td>{formatMoney(rows)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {wrong.length === 0 && <p className="ui-quiet">{texts.balanced}</p>}
      </div>
    </Card>
  );
}
