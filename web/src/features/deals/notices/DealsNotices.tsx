import { isCustomKey } from '@forecourt/contract/custom-field-types';
import { Button } from '@mantine/core';
import CircleAlert from 'lucide-react/icons/circle-alert';
import HardDrive from 'lucide-react/icons/hard-drive';
import { useSyncExternalStore, type ReactNode, useEffect, useState } from 'react';
import { changesOf, type CellAddress, type CellValue, type Refusal } from '../../../grid/grid.ts';
import { unstoredDrafts } from '../../../platform/drafts.ts';
import { useStore } from '../../../platform/external-store.ts';
import { formatDateTime, formatSize } from '../../../platform/formats.ts';
import { texts as customTexts } from '../../../texts/custom-values.ts';
import { texts } from '../../../texts/deal-notices.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { OutdatedNotice } from '../../../ui/Loaded.tsx';
import { useWindowKey } from '../../../ui/use-window-key.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealField } from '../deal-fields.ts';
import { useTimeZone } from '../deals.queries.ts';
import { entriesOf, refusalsOf, type DealDraft, type UnsentReason } from '../sync/draft.ts';
import {
  canParse,
  createClock,
  describeUnsent,
  describeNewerValue,
  formatValue,
} from '../sync/field-conflicts.ts';
import styles from './DealsNotices.module.css';

type DealsNoticeProps = {
  onShow: (key: string, field: DealField) => void;
};

/** Why a value is not saved: a conflict, a refusal, or a text that cannot be parsed. */
type Reason = UnsentReason | { readonly kind: 'unread'; readonly message: string; readonly refusal: Refusal };
type Decision = { key: string; field: DealField; mine: CellValue; reason: Reason };

const decisionsOf = (draft: DealDraft): Decision[] => {
  const { key } = draft;
  return [
    ...entriesOf(draft).flatMap(([field, { value, hold }]): Decision[] =>
      hold === undefined ? [] : [{ key, field, mine: value, reason: hold }],
    ),
    ...refusalsOf(draft).map(([field, refusal]): Decision => {
      const { text, message } = refusal;
      return { key, field, mine: text, reason: { kind: 'unread', message, refusal } };
    }),
  ];
};

/** The notices above the status bar. Loaded after the first rows. */
export default function DealsNotices(props: DealsNoticeProps): ReactNode {
  return (
    <>
      <DealsOutdated />
      <DealsStorage />
      <DealsNotice {...props} />
    </>
  );
}

/** Shows that the rows could not be reloaded. They stay, with their drafts. */
function DealsOutdated(): ReactNode {
  const { deals } = useDataEntry();
  const { state, error } = useStore(deals.loading.state);
  if (state !== 'ready' || error === null) return null;
  return <OutdatedNotice error={error} note={texts.outdated} reload={deals.reload} />;
}

/**
 * Shows values that need the user's decision: keep mine or take theirs after a conflict, correct or discard what was
 * refused, save or discard text from an editor of a closed page. Those of the active row come first. Nothing is
 * overwritten before.
 */
function DealsNotice({ onShow }: DealsNoticeProps): ReactNode {
  const { deals, columns, active, options } = useDataEntry();
  const { draftSync, rows } = deals;
  // New rows may have waited for a custom field that is no longer required.
  const custom = options?.customFields;
  useEffect(() => {
    if (custom) draftSync.retryNow();
  }, [draftSync, custom]);
  const cell = useStore(active);
  const timeZone = useTimeZone();
  const decisions = useStore(draftSync.pending)
    .flatMap(decisionsOf)
    .sort((a, b) => nearness(b, cell) - nearness(a, cell));
  const [decision] = decisions;
  const column = columns.find(({ id }) => id === decision?.field);
  useWindowKey((event) => {
    const alone = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!alone || decision?.reason.kind !== 'conflict' || nearness(decision, cell) !== IN_CELL) return;
    const { key, field } = decision;
    const deal = rows.get(key)?.deal ?? null;
    if (event.code === 'KeyM' && deal !== null) draftSync.keepMine(key, field, deal);
    else if (event.code === 'KeyT') draftSync.discardField(key, field);
    else return;
    event.preventDefault();
  });
  const shownKey = decision?.key ?? '';
  const row = useSyncExternalStore(
    (listener) => rows.subscribeRow(shownKey, listener),
    () => rows.get(shownKey),
  );
  if (decision === undefined) return <div role="alert" />;

  const { key, field, reason } = decision;
  const deal = row?.deal ?? null;
  // The column may no longer exist for a user who had typed in it.
  const name = column?.header ?? (isCustomKey(field) ? customTexts.retired : common.columns[field]);
  const value = column ? formatValue(column, decision.mine, timeZone) : String(decision.mine ?? '');
  const mine = reason.kind === 'unread' ? reason.refusal.text : value;
  const isLong = mine.length > LONG;
  const discard = (): void => {
    if (reason.kind !== 'unread') return draftSync.discardField(key, field);
    deals.onCommand({ changes: [], cleared: [{ key, columnId: field, ...reason.refusal }] });
  };
  const isReadable = reason.kind === 'unread' && column !== undefined && canParse(column, mine, timeZone);
  const save = (): void => {
    if (column) deals.onCommand(changesOf([{ key, column, text: mine }], rows.get, createClock(timeZone)));
  };
  const canSave = row ? (column?.blockedReason?.(row) ?? true) : texts.rowElsewhere;
  /** The button disappears after the decision, so the focus moves to the cell. */
  const thenShow = (decide: () => void) => () => {
    decide();
    if (row && column) onShow(key, field);
  };
  return (
    <div role="alert" className={styles.notice}>
      <CircleAlert className="ui-fixed" />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long text scrolls, also by keyboard */}
      <p className={styles.words} tabIndex={isLong ? 0 : undefined}>
        {reason.kind === 'conflict' ? (
          <>
            <strong>
              {deal && row && column
                ? describeUnsent(column, row, field, timeZone)
                : texts.conflictElsewhere(reason.by, name)}
            </strong>{' '}
            <span className={styles.others}>({formatDateTime(reason.at, timeZone)})</span> {texts.yours(mine)}
          </>
        ) : (
          <>
            <strong>{texts.refused(name, isLong ? '' : mine)}</strong> {reason.message}
            {reason.kind === 'unread' &&
              column &&
              ` ${describeNewerValue(column, deal, field, reason.refusal, timeZone)}`}
          </>
        )}
        {decisions.length > 1 && <span className={styles.others}> {texts.others(decisions.length - 1)}</span>}
        {isLong && reason.kind !== 'conflict' && <span className={styles.whole}>{mine}</span>}
      </p>
      {cell?.key !== key && column && (
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
          <Button variant="default" onClick={thenShow(() => draftSync.keepMine(key, field, deal))}>
            {texts.keepMine}
          </Button>
          <Button variant="default" onClick={thenShow(() => draftSync.discardField(key, field))}>
            {texts.takeTheirs}
          </Button>
        </>
      ) : (
        <>
          {isReadable && (
            <ActionButton variant="default" ability={canSave} onClick={thenShow(save)}>
              {texts.save}
            </ActionButton>
          )}
          {reason.kind === 'refused' && (
            <Button variant="default" onClick={thenShow(() => draftSync.tryAgain(key))}>
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

/** A longer text is shown below the message and can scroll. In characters. */
const LONG = 120;

const IN_CELL = 2;
/** Returns how close a decision is to the active cell: elsewhere, in its row, in the cell. */
const nearness = ({ key, field }: Decision, cell: CellAddress | null): number =>
  key !== cell?.key ? 0 : field === cell.columnId ? IN_CELL : 1;

/** Less free space than this is shown, in bytes. */
const LOW = 20 * 1024 * 1024;

const UPDATE_MS = 60_000;

/** Warns that the browser's storage for drafts is full or nearly full. */
function DealsStorage(): ReactNode {
  const unstored = useStore(unstoredDrafts);
  const free = useFreeStorage();
  const isLow = free !== null && free < LOW;
  return (
    <div role="alert" className={unstored > 0 || isLow ? styles.notice : undefined}>
      {(unstored > 0 || isLow) && <HardDrive className="ui-fixed" />}
      {unstored > 0 ? texts.unstored(unstored) : isLow && texts.nearlyFull(formatSize(free))}
    </div>
  );
}

/** Returns the free storage of the browser for this origin, in bytes. Null if it is not available, as without HTTPS. */
function useFreeStorage(): number | null {
  const [free, setFree] = useState<number | null>(null);
  useEffect(() => {
    const update = async (): Promise<void> => {
      const { quota, usage } = (await navigator.storage?.estimate()) ?? {};
      if (quota !== undefined && usage !== undefined) setFree(Math.max(0, quota - usage));
    };
    const updateSafely = (): void => void update().catch(() => undefined);
    updateSafely();
    const timer = setInterval(updateSafely, UPDATE_MS);
    return () => clearInterval(timer);
  }, []);
  return free;
}
