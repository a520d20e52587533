import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/email-history.ts';
import { statusTexts } from '../../texts/email-sending.ts';
import { ChoiceFilter, DayFilter, FilterBar, SearchFilter } from '../../ui/FilterBar.tsx';
import { dealOptionsQuery } from '../deals/deals.queries.ts';
import { templatesQuery } from '../email-templates/email-templates.queries.ts';
import { usersQuery } from '../users/users.queries.ts';
import type { HistoryFilter } from './history-filter.ts';

const statuses = Object.entries(statusTexts).map(([value, label]) => ({ value, label }));

const choicesOf = (records: readonly { _id: string; name: string }[] | undefined) =>
  (records ?? []).map(({ _id, name }) => ({ value: _id, label: name }));

type HistoryFiltersProps = { filter: HistoryFilter; onChange: (part: HistoryFilter) => void };

/** The filters of the log. The sender is a filter for administrators only: other users see their own messages. */
export function HistoryFilters({ filter, onChange }: HistoryFiltersProps): ReactNode {
  const permissions = usePermissions();
  const people = useQuery({ ...usersQuery, enabled: permissions.isAdmin });
  const templates = useQuery(templatesQuery);
  const options = useQuery({ ...dealOptionsQuery, enabled: permissions.page('dataEntry') });
  const choice = (name: 'userId' | 'templateId' | 'dealershipId' | 'status') => ({
    value: filter[name] ?? '',
    onChange: (value: string) => onChange({ [name]: value }),
  });

  return (
    <FilterBar>
      <SearchFilter
        label={texts.searchLabel}
        hint={texts.search}
        value={filter.search ?? ''}
        onChange={(search) => onChange({ search })}
      />
      {permissions.isAdmin && (
        <ChoiceFilter
          label={texts.person}
          all={texts.everybody}
          data={choicesOf(people.data?.items)}
          {...choice('userId')}
        />
      )}
      <ChoiceFilter label={texts.status} all={texts.allStatuses} data={statuses} {...choice('status')} />
      <ChoiceFilter
        label={texts.template}
        all={texts.allTemplates}
        data={choicesOf(templates.data?.items)}
        {...choice('templateId')}
      />
      {permissions.page('dataEntry') && (
        <ChoiceFilter
          label={texts.dealership}
          all={texts.allDealerships}
          data={choicesOf(options.data?.dealerships)}
          {...choice('dealershipId')}
        />
      )}
      <DayFilter
        label={texts.from}
        value={filter.fromDay ?? ''}
        onChange={(fromDay) => onChange({ fromDay })}
      />
      <DayFilter label={texts.until} value={filter.toDay ?? ''} onChange={(toDay) => onChange({ toDay })} />
      {filter.batch && (
        <Button variant="default" onClick={() => onChange({ batch: '' })}>
          {texts.leaveMerge}
        </Button>
      )}
      {filter.dealId && (
        <Button variant="default" onClick={() => onChange({ dealId: '' })}>
          {texts.leaveDeal}
        </Button>
      )}
    </FilterBar>
  );
}
