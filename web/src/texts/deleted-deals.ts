import { RESTORABLE_DAYS } from '@forecourt/contract/deal-limits';
import { formatPlural } from '../platform/formats.ts';

export const texts = {
  open: 'Deleted rows…',
  title: 'Deleted rows',
  search: 'Search deleted rows',
  searchFor: 'Customer, phone, deal number…',
  all: (rows: number) => (rows === 1 ? 'Select it' : `Select all ${rows}`),
  restore: 'Restore',
  restoreNamed: (customer: string) => `Restore ${customer}`,
  restoreMany: (rows: number) => (rows === 0 ? 'Restore selected' : `Restore ${formatPlural(rows, 'row')}`),
  restored: (rows: number) => (rows === 1 ? 'The row is back' : `${formatPlural(rows, 'row')} are back`),
  restoreFailed: 'The rows could not be restored',
  loadFailed: 'The deleted rows could not be loaded',
  owner: (name: string) => `Owned by ${name}`,
  deletedBy: (name: string | null) => (name === null ? 'Deleted' : `Deleted by ${name}`),
  daysLeft: (days: number) => `${formatPlural(days, 'day')} left`,
  nothing: `No row was deleted in the last ${RESTORABLE_DAYS} days`,
  nothingNote: `Deleted rows stay here for ${RESTORABLE_DAYS} days and can be brought back. After that they are gone for good.`,
  nothingFound: (search: string) => `No deleted row has “${search}”`,
} as const;
