import { Link } from '@tanstack/react-router';
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal';
import UserRoundCog from 'lucide-react/icons/user-round-cog';
import type { ReactNode } from 'react';
import { formatDateTime } from '../platform/formats.ts';
import { paths } from '../platform/paths.ts';
import { useSession } from '../platform/session.ts';
import { texts } from '../texts/app.ts';
import { initialsOf } from '../ui/initials.ts';
import { Tooltip } from '../ui/Tooltip.tsx';
import styles from './UserCard.module.css';

/** The signed-in user: initials, name, role, e-mail on hover or focus, last login (docs/product/screens.md, Menu and side panel). */
export function UserCard({ collapsed }: { collapsed: boolean }): ReactNode {
  const { user } = useSession();
  const name = user?.name || texts.unknownName;
  return (
    <section className={styles.card} aria-label={texts.account}>
      <div className={styles.row}>
        <Tooltip label={user?.email} disabled={!user} position={collapsed ? 'right' : 'top-start'}>
          {/* A button, so that the e-mail is available without a mouse. */}
          <button type="button" className={styles.person}>
            <span className={styles.initials} aria-hidden="true">
              {initialsOf(user?.name)}
            </span>
            <span className={styles.words}>
              <span className={styles.name}>{name}</span>
              {user && <span className={styles.role}>{texts.roles[user.role]}</span>}
            </span>
          </button>
        </Tooltip>
        <Tooltip label={texts.profileSettings} position={collapsed ? 'right' : 'top'}>
          <Link className={styles.account} to={paths.generalSettings} aria-label={texts.profileSettings}>
            <SlidersHorizontal size={15} />
          </Link>
        </Tooltip>
        <Tooltip label={texts.account} position={collapsed ? 'right' : 'top'}>
          <Link className={styles.account} to={paths.account} aria-label={texts.account}>
            <UserRoundCog size={15} />
          </Link>
        </Tooltip>
      </div>
      {user && (
        <p className={styles.login}>
          {texts.lastLogin(user.lastLogin ? formatDateTime(user.lastLogin) : texts.never)}
        </p>
      )}
    </section>
  );
}
