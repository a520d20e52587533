import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../platform/paths.ts';
import { texts } from '../texts/app.ts';
import styles from './Standalone.module.css';

/** Shown for every address without a screen. */
export function NotFoundScreen(): ReactNode {
  return (
    <main className={`ui-center ${styles.center}`}>
      <div className="ui-stack ui-gap-0 ui-centered">
        <p className={styles.code}>404</p>
        <h1>{texts.notFoundTitle}</h1>
        <p className={`ui-muted ${styles.text}`}>{texts.notFound}</p>
        <Button component={Link} to={paths.dashboard}>
          {texts.toDashboard}
        </Button>
      </div>
    </main>
  );
}
