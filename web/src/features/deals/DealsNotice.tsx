import { Button } from '@mantine/core';
import CircleAlert from 'lucide-react/icons/circle-alert';
import type { ReactNode } from 'react';
import type { CellAddress, CellValue, GridColumn } from '../../grid/grid.ts';
import { useStore, type Store } from '../../platform/external-store.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/deals.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { useWindowKey } from '../../ui/use-window-key.ts';
import { entriesOf, refusalsOf, type DealDraft, type Hold } from './deal-draft.ts';
import type { DealField } from './deal-fields.ts';
import { holdReason, wordsOf } from './deal-holds.ts';
import type { DealRow } from './deal-row.ts';
import { useTimeZone } from './deals.queries.ts';
import type { Deals } from './use-deals.ts';
import styles from './DealsNotice.module.css';

type DealsNoticeProps = {
  deals: Deals;
  columns: readonly GridColumn<DealRow>[];
  active: Store<CellAddress | null>;
  onShow: (key: string, field: DealField) => void;
};

/** Why something waits: a hold, or a text that is no value of its cell. */
type Reason = Hold | { readonly kind: 'unread'; readonly message: string };
type Decision = { key: string; field: DealField; mine: CellValue; reason: Reason };

const decisionsOf = (draft: DealDraft): Decision[] => {
  const { key } = draft;
  return [
    ...entriesOf(draft).flatMap(([field, { value, hold }]): Decision[] =>
      hold === undefined ? [] : [{ key, field, mine: value, reason: hold }],
    ),
    ...refusalsOf(draft).map(([field, { text, message }]): Decision => {
      return { key, field, mine: text, reason: { kind: 'unread', message } };
    }),
  ];
};

/**
 * Asks for the decisions that only a person can make: keep mine or take theirs after a conflict, put right or give
 * up what was refused. Those of the active row come first. Nothing is overwritten before.
 */
export function DealsNotice({ deals, columns, active, onShow }: DealsNoticeProps): ReactNode {
  const { outbox, rows } = deals;
  const cell = useStore(active);
  const timeZone = useTimeZone();
  const decisions = useStore(outbox.pending)
    .flatMap(decisionsOf)
    .sort((a, b) => nearness(b, cell) - nearness(a, cell));
  const [decision] = decisions;
  const column = columns.find(({ id }) => id === decision?.field);
  useWindowKey((event) => {
    const alone = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!alone || decision?.reason.kind !== 'conflict' || nearness(decision, cell) !== IN_CELL) return;
    const { key, field } = decision;
    const deal = rows.get(key)?.deal ?? null;
    if (event.code === 'KeyM' && deal !== null) outbox.keepMine(key, field, deal);
    else if (event.code === 'KeyT') outbox.giveUp(key, field);
    else return;
    event.preventDefault();
  });
  if (decision === undefined || column === undefined) return <div role="alert" />;

  const { key, field, reason } = decision;
  const row = rows.get(key);
  const deal = row?.deal ?? null;
  const name = column.header;
  const mine = reason.kind === 'unread' ? String(decision.mine) : wordsOf(column, decision.mine, timeZone);
  const discard = (): void => {
    if (reason.kind !== 'unread') return outbox.giveUp(key, field);
    const text = { key, columnId: field, text: mine, message: reason.message };
    deals.onCommand({ changes: [], forgiven: [text] });
  };
  /** The button goes with its decision: the keyboard goes on in the cell. */
  const thenShow = (decide: () => void) => () => {
    decide();
    if (row) onShow(key, field);
  };
  return (
    <div role="alert" className={styles.notice}>
      <CircleAlert className={styles.icon} />
      <p className={styles.words}>
        {reason.kind === 'conflict' ? (
          <>
            <strong>
              {deal && row
                ? holdReason(column, row, field, timeZone)
                : texts.conflictElsewhere(reason.by, name)}
            </strong>{' '}
            <span className={styles.others}>({formatDateTime(reason.at)})</span> {texts.yours(mine)}
          </>
        ) : (
          <>
            <strong>{texts.refused(name, mine)}</strong> {reason.message}
          </>
        )}
        {decisions.length > 1 && <span className={styles.others}> {texts.others(decisions.length - 1)}</span>}
      </p>
      {cell?.key !== key && (
        <ActionButton
          variant="default"
          ability={row ? true : texts.rowElsewhere}
          onClick={() => onShow(key, field)}
        >
          {texts.showRow}
        </ActionButton>
      )}
      {reason.kind === 'conflict' && deal !== null ? (
        <>
          <Button variant="default" onClick={thenShow(() => outbox.keepMine(key, field, deal))}>
            {texts.keepMine}
          </Button>
          <Button variant="default" onClick={thenShow(() => outbox.giveUp(key, field))}>
            {texts.takeTheirs}
          </Button>
        </>
      ) : (
        <>
          {reason.kind === 'refused' && (
            <Button variant="default" onClick={thenShow(() => outbox.tryAgain(key))}>
              {texts.tryAgain}
            </Button>
          )}
          <Button variant="default" onClick={thenShow(discard)}>
            {texts.discard}
          </Button>
        </>
      )}
    </div>
  );
}

const IN_CELL = 2;
/** How close a decision is to the active cell: elsewhere, in its row, in it. */
const nearness = ({ key, field }: Decision, cell: CellAddress | null): number =>
  key !== cell?.key ? 0 : field === cell.columnId ? IN_CELL : 1;
