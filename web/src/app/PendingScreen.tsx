import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/app.ts';
import styles from './Standalone.module.css';

/** While a screen takes longer than a blink. */
export function PendingScreen(): ReactNode {
  return (
    <output className={styles.center} aria-label={texts.loading}>
      <Loader size={20} />
    </output>
  );
}
