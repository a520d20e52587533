import type { User } from '@forecourt/contract/users';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/users.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import { statusOf, type UserStatus } from './find-users.ts';

const tones: Record<UserStatus, BadgeTone> = {
  active: 'good',
  inactive: 'neutral',
  invited: 'accent',
  mustChange: 'warn',
};

function Status({ user }: { user: User }): ReactNode {
  const status = statusOf(user);
  const until = status === 'invited' && user.invitedUntil;
  return (
    <span className="ui-row">
      <StatusBadge tone={tones[status]}>{texts.statuses[status]}</StatusBadge>
      {until && <span className="ui-quiet">{texts.until(formatDateTime(until))}</span>}
    </span>
  );
}

function twoStepWords({ twoStep }: User): string {
  if (twoStep.on) return texts.twoStepOn;
  return twoStep.required ? texts.twoStepRequired : texts.twoStepOff;
}

/**
 * The columns of the users. On a phone the status is below the name. Name, role and status are filtered above the table,
 * also on a phone.
 */
export const userColumns: readonly DataColumn<User>[] = [
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    render: (user) => (
      <div className="ui-stack ui-gap-0 ui-anywhere">
        <span className="ui-strong">{user.name}</span>
        <span className="ui-quiet">{user.email}</span>
        <span className="ui-inline ui-phone-only">
          <Status user={user} />
        </span>
      </div>
    ),
  },
  {
    id: 'role',
    header: texts.role,
    width: '120px',
    sortBy: ({ role }) => texts.roles[role],
    render: ({ role }) => texts.roles[role],
    wideOnly: true,
  },
  {
    id: 'status',
    header: texts.status,
    width: '230px',
    sortBy: (user) => texts.statuses[statusOf(user)],
    render: (user) => <Status user={user} />,
    wideOnly: true,
  },
  {
    id: 'lastLogin',
    header: texts.lastLogin,
    width: '170px',
    sortBy: ({ lastLogin }) => lastLogin,
    filterBy: { kind: 'date', of: ({ lastLogin }) => lastLogin },
    render: ({ lastLogin }) =>
      lastLogin === null ? (
        <span className="ui-quiet">{texts.never}</span>
      ) : (
        <span className="ui-nowrap">{formatDateTime(lastLogin)}</span>
      ),
    wideOnly: true,
  },
  {
    id: 'sessions',
    header: texts.sessions,
    width: '90px',
    align: 'right',
    sortBy: ({ sessions }) => sessions,
    filterBy: { kind: 'number', of: ({ sessions }) => sessions },
    render: ({ sessions }) => sessions,
    wideOnly: true,
  },
  {
    id: 'twoStep',
    header: texts.twoStep,
    width: '150px',
    sortBy: twoStepWords,
    filterBy: { kind: 'choice', of: twoStepWords },
    render: (user) => twoStepWords(user),
    wideOnly: true,
  },
];
