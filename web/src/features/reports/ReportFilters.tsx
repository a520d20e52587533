import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { dealOptionsQuery } from '../../platform/deal-options.ts';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/reports.ts';
import { namedChoices } from '../../ui/choices.ts';
import { ClearFilters } from '../../ui/FilterBar.tsx';
import { MonthFilter } from '../../ui/MonthFilter.tsx';
import { useOpener } from '../../ui/use-opener.ts';
import { DealFilterField } from '../deals/deal-filter.lazy.ts';
import type { FilterOfText } from '../deals/deal-filter.shared.ts';
import { reportQuery, type Report } from './reports.queries.ts';
import styles from './ReportsScreen.module.css';

type ReportFiltersProps = {
  report: Report;
  show: (change: Partial<Record<keyof Report, string | undefined>>) => void;
  filter: FilterOfText;
};

/** The months of a report, filters by dealership, owner and status, and the filter on any column. */
export function ReportFilters({ report, show, filter }: ReportFiltersProps): ReactNode {
  const filterPanel = useOpener('dialog');
  const { data: options } = useQuery(dealOptionsQuery);
  const columns = new Set(options?.columns);
  const { from, to, dealershipId, owner, status } = report;
  return (
    <search className={styles.filters}>
      <MonthFilter label={texts.from} value={from} onChange={(month) => show({ from: month })} />
      <MonthFilter label={texts.to} value={to} onChange={(month) => show({ to: month })} />
      {columns.has('dealershipId') && (
        <Select
          aria-label={texts.dealership}
          placeholder={texts.allDealerships}
          clearable
          searchable
          data={namedChoices(options?.dealerships)}
          value={dealershipId ?? null}
          onChange={(chosen) => show({ dealershipId: chosen ?? undefined })}
        />
      )}
      {columns.has('owner') && (
        <OwnerSelect
          from={from}
          to={to}
          value={owner ?? null}
          onChange={(owner) => show({ owner: owner ?? undefined })}
        />
      )}
      {columns.has('status') && (
        <Select
          aria-label={texts.status}
          placeholder={texts.allStatuses}
          clearable
          data={options?.statuses.map(({ name }) => name) ?? []}
          value={status ?? null}
          onChange={(chosen) => show({ status: chosen ?? undefined })}
        />
      )}
      {(dealershipId ?? owner ?? status) !== undefined && (
        <ClearFilters
          onClear={() => show({ dealershipId: undefined, owner: undefined, status: undefined })}
        />
      )}
      <div className={styles.onColumns}>
        <Suspense>
          <DealFilterField of={filter} opener={filterPanel} />
        </Suspense>
      </div>
    </search>
  );
}

type OwnerSelectProps = {
  from: string;
  to: string;
  value: string | null;
  onChange: (owner: string | null) => void;
  /** Set if an owner is required: the name of the chosen one, who may have no rows in these months. */
  chosenName?: string;
  /** The value for all owners; undefined if one is required. */
  all?: string;
};

/** The users with rows in these months. */
export function OwnerSelect({ from, to, value, onChange, chosenName, all }: OwnerSelectProps): ReactNode {
  const { data } = useQuery(reportQuery({ by: 'owner', from, to }));
  const required = chosenName !== undefined;
  const people = (data?.rows ?? []).flatMap(({ key, name }) =>
    key === null ? [] : [{ value: key, label: name }],
  );
  if (all !== undefined) people.unshift({ value: all, label: texts.allPeople });
  if (required && value !== null && !people.some((person) => person.value === value))
    people.push({ value, label: chosenName });
  return (
    <Select
      aria-label={texts.owner}
      placeholder={required ? texts.owner : texts.allOwners}
      clearable={!required}
      searchable
      data={people}
      value={value}
      onChange={onChange}
    />
  );
}
