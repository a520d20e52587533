import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../platform/paths.ts';
import { texts } from '../texts/app.ts';
import styles from './Standalone.module.css';

/** Shown for every address without a screen. */
export function NotFoundScreen(): ReactNode {
  return (
    <main className={styles.center}>
      <div className={styles.card}>
        <p className={styles.code}>404</p>
        <h1 className={styles.title}>{texts.notFoundTitle}</h1>
        <p className={styles.text}>{texts.notFound}</p>
        <Button component={Link} to={paths.dashboard}>
          {texts.toDashboard}
        </Button>
      </div>
    </main>
  );
}
