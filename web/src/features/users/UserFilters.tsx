import type { Role } from '@forecourt/contract/auth';
import type { ReactNode } from 'react';
import { texts } from '../../texts/users.ts';
import { ChoiceFilter, FilterBar, SearchFilter } from '../../ui/FilterBar.tsx';
import type { UserFilter, UserStatus } from './find-users.ts';

const choices = <K extends string>(words: Readonly<Record<K, string>>) =>
  (Object.keys(words) as K[]).map((value) => ({ value, label: words[value] }));
const roles = choices<Role>(texts.roles);
const statuses = choices<UserStatus>(texts.statuses);

type UserFiltersProps = { filter: UserFilter; onChange: (filter: UserFilter) => void };

/** The filters of the table of users. */
export function UserFilters({ filter, onChange }: UserFiltersProps): ReactNode {
  return (
    <FilterBar>
      <SearchFilter
        label={texts.search}
        value={filter.search}
        onChange={(search) => onChange({ ...filter, search })}
      />
      <ChoiceFilter
        label={texts.role}
        all={texts.allRoles}
        data={roles}
        value={filter.role ?? ''}
        onChange={(role) => onChange({ ...filter, role: role === '' ? null : (role as Role) })}
      />
      <ChoiceFilter
        label={texts.status}
        all={texts.allStatuses}
        data={statuses}
        value={filter.status ?? ''}
        onChange={(status) => onChange({ ...filter, status: status === '' ? null : (status as UserStatus) })}
      />
    </FilterBar>
  );
}
