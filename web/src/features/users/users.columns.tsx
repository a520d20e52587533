import type { User } from '@forecourt/contract/users';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { texts } from '../../texts/users.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { StatusBadge, type BadgeTone } from '../../ui/StatusBadge.tsx';
import { valueColumn, timeColumn } from '../../ui/table/columns.tsx';
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

function twoStepText({ twoStep }: User): string {
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
  valueColumn({ id: 'role', header: texts.role, width: '120px', of: ({ role }) => texts.roles[role] }),
  valueColumn({
    id: 'status',
    header: texts.status,
    width: '230px',
    of: (user) => texts.statuses[statusOf(user)],
    render: (user) => <Status user={user} />,
  }),
  timeColumn({
    id: 'lastLogin',
    header: texts.lastLogin,
    of: ({ lastLogin }) => lastLogin,
    filter: 'date',
    none: texts.never,
  }),
  valueColumn({
    id: 'sessions',
    header: texts.sessions,
    width: '90px',
    align: 'right',
    of: ({ sessions }) => sessions,
    filter: 'number',
  }),
  valueColumn({ id: 'twoStep', header: texts.twoStep, width: '150px', of: twoStepText, filter: 'choice' }),
];
