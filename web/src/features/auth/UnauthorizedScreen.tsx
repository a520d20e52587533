import { Button } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import Lock from 'lucide-react/icons/lock';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/auth.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import styles from './AuthLayout.module.css';

/** Why a screen did not open, as the guard put it in the address. */
export function UnauthorizedScreen(): ReactNode {
  const { message, code }: Record<string, string | undefined> = useSearch({ strict: false });
  return (
    <Page>
      <PageHeader title={texts.unauthorizedTitle} />
      <EmptyState
        icon={<Lock />}
        title={message ?? texts.unauthorized}
        action={
          <>
            <Button component={Link} to={paths.dashboard}>
              {texts.toDashboard}
            </Button>
            {code && <p className={styles.code}>{texts.code(code)}</p>}
          </>
        }
      >
        {texts.askAdministrator}
      </EmptyState>
    </Page>
  );
}
