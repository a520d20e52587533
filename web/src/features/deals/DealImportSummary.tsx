import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/deal-import.ts';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { DealImportPlan } from './deal-import-plan.ts';
import styles from './DealImport.module.css';

type DealImportSummaryProps = {
  plan: DealImportPlan;
  /** Cells to correct, those that the server refused among them. */
  wrong: number;
  /** The server is still being asked which rows are there already. */
  isChecking: boolean;
  onKeepAll: (kept: boolean) => void;
};

/** How much is added, put right, left out and wrong. Read out when it changes. */
export function DealImportSummary({
  plan: { rows, repaired, duplicates, leftOut },
  wrong,
  isChecking,
  onKeepAll,
}: DealImportSummaryProps): ReactNode {
  return (
    <div className={styles.summary}>
      <p className={styles.counts} role="status">
        <span>{texts.willAdd(rows.length)}</span>
        {repaired > 0 && <StatusBadge tone="accent">{texts.repaired(repaired)}</StatusBadge>}
        {duplicates > 0 && <StatusBadge tone="warn">{texts.duplicates(duplicates, leftOut)}</StatusBadge>}
        {wrong > 0 && <StatusBadge tone="danger">{texts.toCorrect(wrong)}</StatusBadge>}
        {isChecking && <span className={styles.note}>{texts.checking}</span>}
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
