import type { EditedField } from '@forecourt/contract/deal-fields';
import { Button } from '@mantine/core';
import Keyboard from 'lucide-react/icons/keyboard';
import { Suspense, type ReactNode } from 'react';
import { unstoredDrafts } from '../../../platform/drafts.ts';
import { useStore } from '../../../platform/external-store.ts';
import { lazyAfterFirstPaint, useFirstScreenReady } from '../../../platform/first-screen.ts';
import { formatMonth } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deals.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { useDataEntry } from '../data-entry-context.ts';
import { requiredFields, type DealField, type DealOptions } from '../deal-fields.ts';
import type { DealDraft } from '../deal-row.ts';
import { useMonthMoves } from '../notices/use-month-moves.ts';
import { missingFields, refusalsOf } from '../sync/draft.ts';
import styles from './DealsStatusBar.module.css';

const DealsFigures = lazyAfterFirstPaint(() => import('./DealsFigures.tsx'));

type DealsStatusBarProps = {
  onHelp: () => void;
  /** Makes a cell active. */
  onShow: (key: string, field: DealField) => void;
};

/** Count and sums of the rows in view, and whether all edits are saved. */
export function DealsStatusBar({ onHelp, onShow }: DealsStatusBarProps): ReactNode {
  const { deals, adding, isPhone } = useDataEntry();
  const lastUndo = useStore(deals.history.announcement);
  const isFirstScreenReady = useFirstScreenReady();
  useMonthMoves(deals);
  return (
    <footer className={`ui-line ui-gap-4 ui-quiet ${styles.bar}`}>
      <Suspense>{isFirstScreenReady && <DealsFigures />}</Suspense>
      <output>{lastUndo}</output>
      {adding !== true && !isPhone && <span>{adding}</span>}
      <SaveState />
      {!isPhone && <ShowIncomplete onShow={onShow} />}
      {!isPhone && <IconAction label={texts.keys} icon={Keyboard} size={16} onClick={onHelp} />}
    </footer>
  );
}

/** Returns why the user can add no rows. */
export const noBlankRow = (options: DealOptions | undefined): string =>
  (typeof options?.add === 'string' && texts.noBlankRow[options.add]) || texts.mayNotAdd;

/** Shows that everything is saved, or prominently what is not. */
function SaveState(): ReactNode {
  const { deals, active, options } = useDataEntry();
  const drafts = useStore(deals.draftSync.pending);
  const isRestored = useStore(deals.draftSync.isRestored);
  const trailing = useStore(deals.table.trailing);
  const cell = useStore(active);
  const unstored = useStore(unstoredDrafts);
  const own = drafts.find(({ key }) => key === cell?.key);
  const isWaiting = drafts.some(({ problem }) => problem !== null);
  const refused = drafts.reduce((count, draft) => count + refusalsOf(draft).length, 0);
  const waiting = unstored > 0 ? texts.waitingUnstored : texts.waitingForLine;
  const parts = [
    texts.unsaved(drafts.length),
    ...describeElsewhere(drafts, new Set(trailing)),
    refused > 0 && texts.toCorrect(refused),
    isWaiting ? waiting : own && describeMissing(own, options),
  ];
  const saved = isRestored ? texts.allSaved : '';
  const state = drafts.length === 0 ? saved : parts.filter(Boolean).join(' · ');
  return (
    <output className={styles.state} title={state} data-unsaved={drafts.length > 0 || undefined}>
      {state}
    </output>
  );
}

/** Leads to the first missing value of a new row that is not active: after a reload it may be far below the view. */
function ShowIncomplete({ onShow }: Pick<DealsStatusBarProps, 'onShow'>): ReactNode {
  const { deals, active, options } = useDataEntry();
  const visible = new Set(useStore(deals.table.trailing));
  const cell = useStore(active);
  const required = requiredFields(options);
  const row = useStore(deals.draftSync.pending).find(
    (draft) =>
      draft.dealId === null &&
      draft.key !== cell?.key &&
      visible.has(draft.key) &&
      missingFields(draft, required).length > 0,
  );
  const [field] = row ? missingFields(row, required) : [];
  if (!row || field === undefined) return null;
  return (
    <Button variant="subtle" size="compact-sm" onClick={() => onShow(row.key, field)}>
      {texts.showRow}
    </Button>
  );
}

/** Returns the number of new rows in each other month. */
const describeElsewhere = (drafts: readonly DealDraft[], visible: ReadonlySet<string>): string[] =>
  [
    ...Map.groupBy(
      drafts.filter(({ key, dealId }) => dealId === null && !visible.has(key)),
      ({ month }) => month,
    ),
  ].map(([month, rows]) => texts.unsavedThere(rows.length, formatMonth(month)));

/** Returns the missing fields of a new row as text; null for a complete one. */
function describeMissing(draft: DealDraft, options: DealOptions | undefined): string | null {
  if (draft.dealId !== null) return null;
  const names = missingFields(draft, requiredFields(options)).map((field) => {
    const custom = options?.customFields.find(({ key }) => key === field);
    return custom ? `“${custom.name}”` : `a ${texts.columns[field as EditedField].toLowerCase()}`;
  });
  return names.length === 0 ? null : texts.incomplete(names.join(' and '));
}
