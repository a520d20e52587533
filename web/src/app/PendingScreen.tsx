import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/app.ts';
import styles from './Standalone.module.css';

/** Shown while a screen takes longer than 300 ms to load. */
export function PendingScreen(): ReactNode {
  return (
    <output className={`ui-center ${styles.center}`} aria-label={texts.loading}>
      <Loader size={20} />
    </output>
  );
}
