import { Button } from '@mantine/core';
import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import type { CellAddress, CellValue, GridColumn } from '../../grid/grid.ts';
import { useStore, type Store } from '../../platform/external-store.ts';
import { texts } from '../../texts/deals.ts';
import { entriesOf, type Hold } from './deal-draft.ts';
import { holdReason, wordsOf } from './deal-holds.ts';
import type { DealField, DealRow } from './deal-row.ts';
import type { Deals } from './use-deals.ts';
import styles from './DealsNotice.module.css';

type DealsNoticeProps = {
  deals: Deals;
  columns: readonly GridColumn<DealRow>[];
  active: Store<CellAddress | null>;
  onShow: (key: string, field: DealField) => void;
};

type Decision = { key: string; field: DealField; mine: CellValue; hold: Hold };

/**
 * Asks for the decisions that only a person can make: keep mine or take theirs after a conflict, put right or give
 * up what the server refused. Those of the active row come first. Nothing is overwritten before.
 */
export function DealsNotice({ deals, columns, active, onShow }: DealsNoticeProps): ReactNode {
  const { outbox, rows } = deals;
  const cell = useStore(active);
  const decisions = useStore(outbox.pending)
    .flatMap((draft) =>
      entriesOf(draft).flatMap(([field, { value, hold }]): Decision[] =>
        hold === undefined ? [] : [{ key: draft.key, field, mine: value, hold }],
      ),
    )
    .sort((a, b) => nearness(b, cell) - nearness(a, cell));
  const [decision] = decisions;
  const column = columns.find(({ id }) => id === decision?.field);
  if (decision === undefined || column === undefined) return <div role="alert" />;

  const { key, field, hold } = decision;
  const row = rows.get(key);
  const deal = row?.deal ?? null;
  const mine = wordsOf(column, decision.mine);
  const name = column.header;
  return (
    <div role="alert" className={styles.notice}>
      <CircleAlert className={styles.icon} />
      <p className={styles.words}>
        {hold.kind === 'conflict' ? (
          <>
            <strong>{row && holdReason(column, row, field)}</strong> {texts.yours(mine)}
          </>
        ) : (
          <>
            <strong>{texts.refused(name, mine)}</strong> {hold.message}
          </>
        )}
        {decisions.length > 1 && <span className={styles.others}> {texts.others(decisions.length - 1)}</span>}
      </p>
      {cell?.key !== key && (
        <Button variant="default" onClick={() => onShow(key, field)}>
          {texts.showRow}
        </Button>
      )}
      {hold.kind === 'conflict' && deal !== null ? (
        <>
          <Button variant="default" onClick={() => outbox.keepMine(key, field, deal)}>
            {texts.keepMine}
          </Button>
          <Button variant="default" onClick={() => outbox.giveUp(key, field)}>
            {texts.takeTheirs}
          </Button>
        </>
      ) : (
        <>
          <Button variant="default" onClick={() => outbox.tryAgain(key)}>
            {texts.tryAgain}
          </Button>
          <Button variant="default" onClick={() => outbox.giveUp(key, field)}>
            {texts.discard}
          </Button>
        </>
      )}
    </div>
  );
}

const nearness = ({ key, field }: Decision, cell: CellAddress | null): number =>
  key !== cell?.key ? 0 : field === cell.columnId ? 2 : 1;
