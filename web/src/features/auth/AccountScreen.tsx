import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/auth.ts';
import { Page, PageHeader } from '../../ui/PageHeader.tsx';
import { SessionList } from './SessionList.tsx';
import { TwoStepCard } from './TwoStepCard.tsx';
import styles from './AccountScreen.module.css';

/**
 * The user's sign-in: password, second step, sessions
 * (docs/product/people-and-permissions.md, Two-step sign-in; docs/product/people-and-permissions.md, Sessions).
 */
export function AccountScreen(): ReactNode {
  const { user } = useSession();
  return (
    <Page>
      <PageHeader title={texts.accountTitle} note={user && `${user.name} · ${user.email}`} />
      <div className={styles.cards}>
        <section className="ui-card ui-pad" aria-labelledby="own-password">
          <h2 id="own-password">{texts.password}</h2>
          <p className={styles.words}>{texts.passwordCard}</p>
          <Button variant="default" component={Link} to={paths.changePassword}>
            {texts.changeTitle}
          </Button>
        </section>
        <TwoStepCard />
        <SessionList />
      </div>
    </Page>
  );
}
