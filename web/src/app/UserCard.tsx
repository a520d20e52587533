import { ActionIcon } from '@mantine/core';
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
    <section aria-label={texts.account}>
      <div className={`ui-line ui-gap-1 ${styles.row}`}>
        <Tooltip label={user?.email} disabled={!user} position={collapsed ? 'right' : 'top-start'}>
          {/* A button, so that the e-mail is available without a mouse. */}
          <button type="button" className={`ui-line ${styles.person}`}>
            <span className={`ui-center ui-quiet ui-bold ${styles.initials}`} aria-hidden="true">
              {initialsOf(user?.name)}
            </span>
            <span className="ui-stack ui-gap-0 ui-ellipsis" data-label>
              <span className="ui-ellipsis ui-bold">{name}</span>
              {user && <span className="ui-quiet">{texts.roles[user.role]}</span>}
            </span>
          </button>
        </Tooltip>
        <Tooltip label={texts.profileSettings} position={collapsed ? 'right' : 'top'}>
          <ActionIcon component={Link} to={paths.generalSettings} aria-label={texts.profileSettings}>
            <SlidersHorizontal size={15} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={texts.account} position={collapsed ? 'right' : 'top'}>
          <ActionIcon component={Link} to={paths.account} aria-label={texts.account}>
            <UserRoundCog size={15} />
          </ActionIcon>
        </Tooltip>
      </div>
      {user && (
        <p className={`ui-quiet ${styles.login}`} data-hidden-collapsed>
          {texts.lastLogin(user.lastLogin ? formatDateTime(user.lastLogin) : texts.never)}
        </p>
      )}
    </section>
  );
}
