import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../../texts/audit.ts';
import { ChoiceFilter, DayFilter, FilterBar, SearchFilter } from '../../ui/FilterBar.tsx';
import { usersQuery } from '../users/users.queries.ts';
import type { ScreenFilter } from './audit-filter.ts';

const kinds = Object.entries(texts.kinds).map(([value, { many }]) => ({ value, label: many }));

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const SPECIFIC = Object.entries(texts.whole).map(([value, words]) => ({ value, label: capital(words) }));
const COMMON = ['created', 'updated', 'deleted', 'restored', 'shared', 'transferred'];

/** Returns the actions for a kind of record; specific labels replace the common ones. */
function actionsOf(entity: string) {
  const own = SPECIFIC.filter(({ value }) => value.startsWith(`${entity}.`));
  const taken = new Set(own.map(({ value }) => value));
  const common = COMMON.map((verb) => ({ value: `${entity}.${verb}`, label: capital(texts.verbs[verb]!) }));
  return [...common.filter(({ value }) => !taken.has(value)), ...own];
}

type AuditFiltersProps = { filter: ScreenFilter; onChange: (part: ScreenFilter) => void };

/** The filters of the audit log. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps): ReactNode {
  const { data: users } = useQuery(usersQuery);
  const people = users?.items.map(({ _id, name }) => ({ value: _id, label: name })) ?? [];

  return (
    <FilterBar>
      <SearchFilter
        label={texts.search}
        value={filter.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      <ChoiceFilter
        label={texts.person}
        all={texts.everybody}
        data={people}
        value={filter.actorId ?? ''}
        onChange={(actorId) => onChange({ actorId })}
      />
      <ChoiceFilter
        label={texts.kind}
        all={texts.everything}
        data={kinds}
        value={filter.entity ?? ''}
        onChange={(entity) => onChange({ entity, action: '' })}
      />
      <ChoiceFilter
        label={texts.action}
        all={texts.anyAction}
        data={filter.entity ? actionsOf(filter.entity) : SPECIFIC}
        value={filter.action ?? ''}
        onChange={(action) => onChange({ action })}
      />
      <DayFilter
        label={texts.from}
        value={filter.fromDay ?? ''}
        onChange={(fromDay) => onChange({ fromDay })}
      />
      <DayFilter label={texts.to} value={filter.toDay ?? ''} onChange={(toDay) => onChange({ toDay })} />
    </FilterBar>
  );
}
