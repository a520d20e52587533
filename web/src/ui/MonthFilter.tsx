import type { ReactNode } from 'react';
import { isDay } from './day-text.ts';
import { DayField } from './DayField.tsx';

type MonthFilterProps = { label: string; value: string; onChange: (month: string) => void };

/** A month, which cannot be cleared. */
export const MonthFilter = ({ label, value, onChange }: MonthFilterProps): ReactNode => (
  <DayField
    precision="month"
    aria-label={label}
    value={value}
    onChange={(month) => isDay(month, 'month') && onChange(month)}
  />
);
