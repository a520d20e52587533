import { Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/table.ts';
import { isDay } from '../day-text.ts';
import { DayField } from '../DayField.tsx';
import type { ColumnFilter } from './data-column.ts';
import { choicesOf, type Filter } from './filter-rows.ts';

type FilterFieldsProps<R> = {
  by: ColumnFilter<R>;
  rows: readonly R[];
  filter: Filter;
  onChange: (filter: Filter) => void;
};

/** The filter of a column as fields. Applied on each keystroke. */
export function FilterFields<R>({ by, rows, filter, onChange }: FilterFieldsProps<R>): ReactNode {
  const [first = '', second = ''] = filter;
  if (by.kind === 'text') {
    return (
      <TextInput
        label={texts.contains}
        value={first}
        onChange={(event) => onChange([event.currentTarget.value])}
      />
    );
  }
  if (by.kind === 'choice') {
    const press = (choice: string): void =>
      onChange(filter.includes(choice) ? filter.filter((other) => other !== choice) : [...filter, choice]);
    return (
      <div className="ui-stack ui-gap-2 ui-scroll">
        {choicesOf(rows, by.of, filter).map((choice) => (
          <Checkbox
            key={choice}
            label={choice}
            checked={filter.includes(choice)}
            onChange={() => press(choice)}
          />
        ))}
      </div>
    );
  }
  return (
    <div className="ui-stack ui-gap-2">
      <RangeField
        kind={by.kind}
        label={texts.from}
        value={first}
        onChange={(value) => onChange([value, second])}
      />
      <RangeField
        kind={by.kind}
        label={texts.to}
        value={second}
        onChange={(value) => onChange([first, value])}
      />
    </div>
  );
}

type RangeFieldProps = {
  kind: 'date' | 'number';
  label: string;
  value: string;
  onChange: (value: string) => void;
};

function RangeField({ kind, label, value, onChange }: RangeFieldProps): ReactNode {
  if (kind === 'number') {
    return (
      <TextInput
        type="number"
        label={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  return (
    <DayField label={label} value={value} onChange={(day) => (day === '' || isDay(day)) && onChange(day)} />
  );
}
