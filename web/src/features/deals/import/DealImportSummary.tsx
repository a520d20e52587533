import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import type { ImportKind } from '@forecourt/contract/import-modes';
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-import.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import type { DealImportPlan } from './plan.ts';

type Shared = {
  /** Cells to correct, including those that the server refused. */
  wrong: number;
  /** Whether a request about existing rows is in flight. */
  isChecking: boolean;
};

type DealImportSummaryProps = Shared & {
  plan: DealImportPlan;
  onKeepAll: (kept: boolean) => void;
};

/** Numbers of added, corrected, excluded and invalid rows. Announced when they change. */
export function DealImportSummary({
  plan: { rows, repaired, duplicates, leftOut },
  wrong,
  isChecking,
  onKeepAll,
}: DealImportSummaryProps): ReactNode {
  return (
    <div className="ui-row ui-gap-4 ui-between">
      <p className="ui-row ui-gap-3" role="status">
        <span>{rows.length > MAX_BULK_RECORDS ? texts.tooMany : texts.willAdd(rows.length)}</span>
        {repaired > 0 && <StatusBadge tone="accent">{texts.repaired(repaired)}</StatusBadge>}
        {duplicates > 0 && <StatusBadge tone="warn">{texts.duplicates(duplicates, leftOut)}</StatusBadge>}
        {wrong > 0 && <StatusBadge tone="danger">{texts.toCorrect(wrong)}</StatusBadge>}
        {isChecking && <span className="ui-muted">{texts.checking}</span>}
      </p>
      {duplicates > 0 && (
        <Checkbox
          label={texts.allAnyway}
          checked={leftOut === 0}
          indeterminate={leftOut > 0 && leftOut < duplicates}
          onChange={(event) => onKeepAll(event.currentTarget.checked)}
        />
      )}
    </div>
  );
}

const TONES = {
  changed: 'accent',
  new: 'accent',
  same: 'neutral',
  ambiguous: 'warn',
  unmatched: 'warn',
  refused: 'danger',
  none: 'neutral',
} as const satisfies Record<ImportKind, string>;

type DealUpdateSummaryProps = Shared & {
  counts: Readonly<Record<ImportKind, number>> | undefined;
  repaired: number;
  duplicates: number;
};

/** Numbers of lines by what the import does with them. Announced when they change. */
export function DealUpdateSummary({
  counts,
  repaired,
  duplicates,
  wrong,
  isChecking,
}: DealUpdateSummaryProps): ReactNode {
  const kinds = (Object.keys(TONES) as ImportKind[]).filter((kind) => (counts?.[kind] ?? 0) > 0);
  return (
    <p className="ui-row ui-gap-3" role="status">
      {wrong > 0 && <StatusBadge tone="danger">{texts.toCorrect(wrong)}</StatusBadge>}
      {kinds.map((kind) => (
        <StatusBadge key={kind} tone={TONES[kind]}>
          {texts.kinds[kind](counts![kind])}
        </StatusBadge>
      ))}
      {duplicates > 0 && <StatusBadge tone="warn">{texts.addedDuplicates(duplicates)}</StatusBadge>}
      {repaired > 0 && <StatusBadge tone="accent">{texts.repaired(repaired)}</StatusBadge>}
      {isChecking && <span className="ui-muted">{texts.matching}</span>}
    </p>
  );
}
