import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import Search from 'lucide-react/icons/search';
import { useState, type ReactNode } from 'react';
import styles from './FilterBar.module.css';
import './styles-dialog.ts';

/** How long somebody has stopped typing before it is searched for, in milliseconds. */
const PAUSE_MS = 250;

/** What a list is narrowed by, above it: a search field, choices and days side by side. */
export const FilterBar = ({ children }: { children: ReactNode }): ReactNode => (
  <search className={styles.root}>{children}</search>
);

type FilterProps = {
  label: string;
  /** '' where it narrows nothing. */
  value: string;
  onChange: (value: string) => void;
};

/** Says what is typed once its writer pauses or goes elsewhere. Emptied from outside, it shows that. */
export function SearchFilter({
  label,
  hint = label,
  value,
  onChange,
}: FilterProps & { hint?: string }): ReactNode {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    if (value === '') setTyped('');
  }
  const say = useDebouncedCallback((text: string) => onChange(text.trim()), PAUSE_MS);
  return (
    <TextInput
      className={styles.search}
      type="search"
      aria-label={label}
      placeholder={hint}
      leftSection={<Search />}
      maxLength={120}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        say(currentTarget.value);
      }}
      // What is chosen next must not be overtaken by it.
      onBlur={() => say.flush()}
    />
  );
}

type Choice = { value: string; label: string };

/** More choices than these are searched. */
const LONG = 8;

/** One of some values, or all of them. */
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
  <TextInput
    className={styles.day}
    type="date"
    aria-label={label}
    leftSection={label}
    leftSectionWidth={52}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);
