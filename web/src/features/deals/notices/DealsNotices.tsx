import { useParams } from '@tanstack/react-router';
import CircleAlert from 'lucide-react/icons/circle-alert';
import HardDrive from 'lucide-react/icons/hard-drive';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { changesOf, type CellAddress } from '../../../grid/grid.ts';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { unstoredDrafts } from '../../../platform/drafts.ts';
import { useStore } from '../../../platform/external-store.ts';
import { formatDateTime, formatSize } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-notices.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { OutdatedNotice } from '../../../ui/Loaded.tsx';
import { useDataEntry, useRow } from '../data-entry-context.ts';
import type { DealField } from '../deal-fields.ts';
import { canParse, createClock, describeUnsent, describeNewerValue } from '../sync/field-conflicts.ts';
import {
  DecisionButtons,
  decisionsOf,
  useDecisionKeys,
  useDecisionParts,
  type Decision,
} from './decisions.tsx';
import styles from './DealsNotices.module.css';

type DealsNoticeProps = { onShow: (key: string, field: DealField) => void };

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

/** Shows that rows could not be reloaded. Rows and drafts stay. */
function DealsOutdated(): ReactNode {
  const { deals } = useDataEntry();
  const { state, error } = useStore(deals.loading.state);
  if (state !== 'ready' || error === null) return null;
  return <OutdatedNotice error={error} note={texts.outdated} reload={deals.loading.reload} />;
}

/**
 * Shows values that need a decision: keep mine or take theirs after a conflict, correct or discard a refused value,
 * save or discard text from an editor of a closed page. Decisions of the active row come first.
 */
function DealsNotice({ onShow }: DealsNoticeProps): ReactNode {
  const { deals, active, options, columns } = useDataEntry();
  const { draftSync } = deals;
  const timeZone = useTimeZone();
  // Sends new rows that waited for a custom field which is no longer required.
  const custom = options?.customFields;
  useEffect(() => {
    if (custom) draftSync.retryNow();
  }, [draftSync, custom]);
  const cell = useStore(active);
  const { dealId } = useParams({ strict: false });
  const decisions = useStore(draftSync.pending)
    .flatMap(decisionsOf)
    .sort((a, b) => nearness(b, cell) - nearness(a, cell));
  const [decision] = decisions;
  const takeOffered = useEffectEvent((offered: typeof columns): void => {
    const edits = decisions.flatMap(({ key, field, reason }) => {
      const column = offered.find(({ id }) => id === field);
      if (!column || reason.kind !== 'unread' || reason.message === common.pageEnded) return [];
      const { text } = reason.refusal;
      return canParse(column, text, timeZone) ? [{ key, column, text }] : [];
    });
    const outcome = changesOf(edits, deals.rows.get, createClock(timeZone));
    if (outcome.changes.length > 0) deals.takeRefused(outcome);
  });
  // A refused text may have become an option, for example the name of a new dealership.
  useEffect(() => takeOffered(columns), [columns]);
  useDecisionKeys(() => {
    const isInCell = decision !== undefined && nearness(decision, cell) === IN_CELL;
    // The page of a row, which covers the table, has its own keys.
    return isInCell && dealId === undefined ? decision : undefined;
  });
  if (decision === undefined) return <div role="alert" />;
  return <OpenDecision decision={decision} others={decisions.length - 1} onShow={onShow} />;
}

type OpenDecisionProps = DealsNoticeProps & { decision: Decision; others: number };

function OpenDecision({ decision, others, onShow }: OpenDecisionProps): ReactNode {
  const { active } = useDataEntry();
  const cell = useStore(active);
  const timeZone = useTimeZone();
  const { key, field, reason } = decision;
  const { column, name, mine } = useDecisionParts(decision);
  const row = useRow(key);
  const deal = row?.deal ?? null;
  const isLong = mine.length > LONG;
  return (
    <div role="alert" className={`ui-row ${styles.notice}`}>
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
        {others > 0 && <span className={styles.others}> {texts.others(others)}</span>}
        {isLong && reason.kind !== 'conflict' && <span className={styles.whole}>{mine}</span>}
      </p>
      {cell?.key !== key && column && (
        <ActionButton
          variant="default"
          ability={row ? true : texts.rowElsewhere}
          onClick={() => onShow(key, field)}
        >
          {common.showRow}
        </ActionButton>
      )}
      <DecisionButtons
        decision={decision}
        row={row}
        onDecided={() => {
          if (row && column) onShow(key, field);
        }}
      />
    </div>
  );
}

/** A text of more characters is shown below the message and can scroll. */
const LONG = 120;

const IN_CELL = 2;
/** Returns the distance class of a decision: elsewhere, in the active row, in the active cell. */
const nearness = ({ key, field }: Decision, cell: CellAddress | null): number =>
  key !== cell?.key ? 0 : field === cell.columnId ? IN_CELL : 1;

/** A warning is shown below this free space, in bytes. */
const LOW = 20 * 1024 * 1024;

const UPDATE_MS = 60_000;

/** Warns that the browser's storage for drafts is full or nearly full. */
function DealsStorage(): ReactNode {
  const unstored = useStore(unstoredDrafts);
  const free = useFreeStorage();
  const isLow = free !== null && free < LOW;
  return (
    <div role="alert" className={unstored > 0 || isLow ? `ui-row ${styles.notice}` : undefined}>
      {(unstored > 0 || isLow) && <HardDrive className="ui-fixed" />}
      {unstored > 0 ? texts.unstored(unstored) : isLow && texts.nearlyFull(formatSize(free))}
    </div>
  );
}

/** Returns the browser's free storage for this origin in bytes; null if unavailable, as without HTTPS. */
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
