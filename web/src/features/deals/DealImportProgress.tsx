import { Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { useEffect, useRef, type ReactNode } from 'react';
import { texts } from '../../texts/deal-import.ts';
import styles from './DealImport.module.css';

type DealImportProgressProps = { written: number; total: number };

/** How many rows are written, and that nobody has to wait for the others. */
export function DealImportProgress({ written, total }: DealImportProgressProps): ReactNode {
  const soFar = texts.written(written, total);
  const block = useRef<HTMLDivElement>(null);
  // It comes between what was pressed and the edge of the screen.
  useEffect(() => {
    block.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={block} className={styles.progress}>
      <Progress.Root>
        <Progress.Section
          value={(100 * written) / total}
          withAria={false}
          role="progressbar"
          aria-label={texts.progress}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={written}
          aria-valuetext={soFar}
        />
      </Progress.Root>
      <p className={styles.written} role="status">
        {soFar}
      </p>
      <p className={styles.note}>{texts.importingNote}</p>
    </div>
  );
}
