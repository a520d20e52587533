import { ActionIcon, Button, Popover, Checkbox, TextInput } from '@mantine/core';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Funnel from 'lucide-react/icons/funnel';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/table.ts';
import { isDay } from '../day-text.ts';
import { DayField } from '../DayField.tsx';
import { FirstFocus } from '../FirstFocus.tsx';
import type { DataColumn, ColumnFilter } from './data-column.ts';
import { type Filter, choicesOf } from './filter-rows.ts';
import styles from './ColumnOptions.module.css';

type ColumnOptionsProps<R> = {
  column: DataColumn<R>;
  /** All rows, to derive the choices of a filter. */
  rows: readonly R[];
  filter: Filter | undefined;
  onFilter: (filter: Filter) => void;
  onWiden: (by: number) => void;
  onFit: () => void;
  /** Undefined for a column that cannot be hidden. */
  onHide: (() => void) | undefined;
  /** Undefined if no column is resized or hidden. */
  onReset: (() => void) | undefined;
};

/** Px of a step of Narrower and Wider, the alternative to dragging an edge (WCAG 2.5.7). */
const WIDTH_STEP = 25;

/** Options of a column besides sorting: filter, width, hide. */
export function ColumnOptions<R>(props: ColumnOptionsProps<R>): ReactNode {
  const { column, rows, filter, onFilter, onWiden, onFit, onHide, onReset } = props;
  const [opened, setOpened] = useState(false);
  const { header, filterBy } = column;
  const label = (filter ? texts.optionsFiltered : texts.options)(header);
  const close = (): void => setOpened(false);

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width={232}
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <ActionIcon
          className={styles.button}
          size={24}
          aria-label={label}
          data-options
          data-filtered={filter !== undefined || undefined}
          data-width-only={filterBy === undefined || undefined}
          onClick={() => setOpened(!opened)}
        >
          {filter ? <Funnel size={13} fill="currentColor" /> : <ChevronDown size={14} />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label} className={styles.panel ?? ''}>
        <FirstFocus>
          {filterBy && (
            <form
              className={`ui-stack ui-gap-2 ${styles.filter}`}
              onSubmit={(event) => {
                event.preventDefault();
                close();
              }}
            >
              <FilterFields by={filterBy} rows={rows} filter={filter ?? []} onChange={onFilter} />
              {filter && (
                <Button variant="subtle" size="compact-sm" onClick={() => onFilter([])}>
                  {texts.clear}
                </Button>
              )}
            </form>
          )}
          <div className={`ui-stack ui-gap-1 ${styles.columns}`}>
            <div className={styles.widths}>
              <Button variant="default" size="compact-sm" onClick={() => onWiden(-WIDTH_STEP)}>
                {texts.narrower}
              </Button>
              <Button variant="default" size="compact-sm" onClick={() => onWiden(WIDTH_STEP)}>
                {texts.wider}
              </Button>
            </div>
            <Entry onClick={onFit}>{texts.fit}</Entry>
            {onHide && <Entry onClick={onHide}>{texts.hide}</Entry>}
            {onReset && <Entry onClick={onReset}>{texts.reset}</Entry>}
          </div>
        </FirstFocus>
      </Popover.Dropdown>
    </Popover>
  );
}

function Entry({ onClick, children }: { onClick: () => void; children: ReactNode }): ReactNode {
  return (
    <Button variant="subtle" color="gray" size="compact-sm" justify="flex-start" onClick={onClick}>
      {children}
    </Button>
  );
}

type FilterFieldsProps<R> = {
  by: ColumnFilter<R>;
  rows: readonly R[];
  filter: Filter;
  onChange: (filter: Filter) => void;
};

/** The filter of a column as fields, applied on each keystroke. */
function FilterFields<R>({ by, rows, filter, onChange }: FilterFieldsProps<R>): ReactNode {
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
