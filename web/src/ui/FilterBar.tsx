import { firstCharacters, MAX_SEARCH_LENGTH } from '@forecourt/contract/characters';
import { Button, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import Search from 'lucide-react/icons/search';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/table.ts';
import { isDay } from './day-text.ts';
import { DayField } from './DayField.tsx';
import styles from './FilterBar.module.css';
import './styles-dialog.ts';

/** Debounce of the search, in milliseconds. */
const PAUSE_MS = 250;

type FilterBarProps = {
  children: ReactNode;
  /** Clears all filters; undefined if there are none. */
  onClear?: (() => void) | undefined;
};

export const FilterBar = ({ children, onClear }: FilterBarProps): ReactNode => (
  <search className="ui-row ui-mb-3">
    {children}
    {onClear && <ClearFilters onClear={onClear} />}
  </search>
);

/** Also clears filters without a field, such as an unknown user id in the URL. */
export const ClearFilters = ({ onClear }: { onClear: () => void }): ReactNode => (
  <Button variant="subtle" onClick={onClear}>
    {texts.clearFilters}
  </Button>
);

type FilterProps = {
  label: string;
  /** '' for no filter. */
  value: string;
  onChange: (value: string) => void;
};

/** Calls `onChange` when typing pauses or the field loses focus. Adopts a value that is cleared from outside. */
export function SearchFilter({
  label,
  hint = label,
  value,
  onChange,
}: FilterProps & { hint?: string }): ReactNode {
  const [typed, setTyped] = useState(value);
  const [lastValue, setKnown] = useState(value);
  if (value !== lastValue) {
    setKnown(value);
    if (value === '') setTyped('');
  }
  const search = useDebouncedCallback((text: string) => onChange(text.trim()), PAUSE_MS);
  return (
    <TextInput
      className={styles.search}
      type="search"
      aria-label={label}
      placeholder={hint}
      leftSection={<Search />}
      value={typed}
      onChange={({ currentTarget }) => {
        const text = firstCharacters(currentTarget.value, MAX_SEARCH_LENGTH);
        setTyped(text);
        search(text);
      }}
      // Applies the search before another filter changes.
      onBlur={() => search.flush()}
    />
  );
}

type Choice = { value: string; label: string };

/** Lists with more options are searchable. */
const LONG = 8;

/** A choice of one value, or all. */
export const ChoiceFilter = ({
  label,
  all,
  data,
  value,
  onChange,
}: FilterProps & { all: string; data: readonly Choice[] }): ReactNode => (
  <Select
    className={styles.choice}
    aria-label={label}
    placeholder={all}
    clearable
    searchable={data.length > LONG}
    data={data}
    value={value === '' ? null : value}
    onChange={(chosen) => onChange(chosen ?? '')}
  />
);

/** A day such as `2026-11-20`. */
export const DayFilter = ({ label, value, onChange }: FilterProps): ReactNode => (
  <DayField
    className={styles.day}
    aria-label={label}
    leftSection={label}
    leftSectionWidth={52}
    value={value}
    onChange={(day) => (day === '' || isDay(day)) && onChange(day)}
  />
);
