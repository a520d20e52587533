import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/reports.ts';
import { dealOptionsQuery } from '../deals/deals.queries.ts';
import { reportQuery, type Report } from './reports.queries.ts';
import styles from './ReportsScreen.module.css';

type ReportFiltersProps = {
  report: Report;
  show: (change: Partial<Record<keyof Report, string | undefined>>) => void;
};

/** Which months, and of them the rows of one dealership, person or status. */
export function ReportFilters({ report, show }: ReportFiltersProps): ReactNode {
  const { data: options } = useQuery(dealOptionsQuery);
  const columns = new Set(options?.columns);
  const { from, to } = report;
  return (
    <search className={styles.filters}>
      <MonthInput label={texts.from} value={from} onChange={(month) => show({ from: month })} />
      <MonthInput label={texts.to} value={to} onChange={(month) => show({ to: month })} />
      {columns.has('dealershipId') && (
        <Select
          aria-label={texts.dealership}
          placeholder={texts.allDealerships}
          clearable
          searchable
          data={options?.dealerships.map(({ _id, name }) => ({ value: _id, label: name })) ?? []}
          value={report.dealershipId ?? null}
          onChange={(chosen) => show({ dealershipId: chosen ?? undefined })}
        />
      )}
      {columns.has('owner') && (
        <OwnerSelect
          from={from}
          to={to}
          value={report.owner ?? null}
          onChange={(owner) => show({ owner: owner ?? undefined })}
        />
      )}
      {columns.has('status') && (
        <Select
          aria-label={texts.status}
          placeholder={texts.allStatuses}
          clearable
          data={options?.statuses.map(({ name }) => name) ?? []}
          value={report.status ?? null}
          onChange={(chosen) => show({ status: chosen ?? undefined })}
        />
      )}
    </search>
  );
}

type MonthInputProps = { label: string; value: string; onChange: (month: string) => void };

function MonthInput({ label, value, onChange }: MonthInputProps): ReactNode {
  return (
    <TextInput
      type="month"
      aria-label={label}
      value={value}
      required
      onChange={(event) => event.currentTarget.value !== '' && onChange(event.currentTarget.value)}
    />
  );
}

type OwnerSelectProps = {
  from: string;
  to: string;
  value: string | null;
  onChange: (owner: string | null) => void;
  /** One of them is always chosen. */
  required?: boolean;
};

/** The people who have rows in these months. */
export function OwnerSelect({ from, to, value, onChange, required = false }: OwnerSelectProps): ReactNode {
  const { data } = useQuery(reportQuery({ by: 'owner', from, to }));
  return (
    <Select
      aria-label={texts.owner}
      placeholder={texts.allOwners}
      clearable={!required}
      allowDeselect={!required}
      searchable
      data={data?.rows.flatMap(({ key, name }) => (key === null ? [] : [{ value: key, label: name }])) ?? []}
      value={value}
      onChange={onChange}
    />
  );
}
