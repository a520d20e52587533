import type { User } from '@forecourt/contract/users';
import { Select } from '@mantine/core';
import type { ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/settings.ts';
import { COMPANY } from './settings.queries.ts';

type OwnerSelectProps = {
  owner: string;
  /** The id of the signed-in user. */
  own: string;
  users: readonly User[];
  onChoose: (owner: string) => void;
};

/** Chooses the settings to manage: the administrator's own, the company's defaults, or those of another user. */
export function OwnerSelect({ owner, own, users, onChoose }: OwnerSelectProps): ReactNode {
  const others = users.filter(({ userId }) => userId !== own);
  return (
    <Select
      label={texts.owner}
      data={[
        { value: own, label: texts.mine },
        { value: COMPANY, label: texts.company },
        {
          group: texts.users,
          items: others.map(({ userId, name, email, isActive }) => ({
            value: userId,
            label: isActive ? texts.user(name, email) : texts.inactiveUser(name, email),
          })),
        },
      ]}
      searchable
      allowDeselect={false}
      nothingFoundMessage={texts.nobodyFound}
      value={owner}
      onChange={(next) => next !== null && next !== owner && onChoose(next)}
    />
  );
}
