import { Checkbox, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../texts/table.ts';
import type { ColumnFilter } from './data-column.ts';
import { choicesOf, type Filter } from './filter-rows.ts';
import styles from './ColumnOptions.module.css';

type FilterFieldsProps<R> = {
  by: ColumnFilter<R>;
  rows: readonly R[];
  filter: Filter;
  onChange: (filter: Filter) => void;
};

/** What a column is filtered by, as fields. Each key pressed counts at once. */
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
      <div className={styles.choices}>
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
    <div className={styles.range}>
      <TextInput
        type={by.kind}
        label={texts.from}
        value={first}
        onChange={(event) => onChange([event.currentTarget.value, second])}
      />
      <TextInput
        type={by.kind}
        label={texts.to}
        value={second}
        onChange={(event) => onChange([first, event.currentTarget.value])}
      />
    </div>
  );
}
