import { formatMonth } from '../platform/formats.ts';

/** The question for the reason of a change in a closed month (docs/product/month-close.md, After the close). */
export const texts = {
  title: (month: string | undefined) =>
    month === undefined ? 'The month is closed' : `${formatMonth(month)} is closed`,
  note: 'This change becomes an adjustment in the next statement. Its recipient reads your reason.',
  reason: 'Reason',
  submit: 'Save with this reason',
} as const;
