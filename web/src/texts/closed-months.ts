import { formatMonth } from '../platform/formats.ts';

const areClosed = (months: readonly string[]): string =>
  `${new Intl.ListFormat('en-AU').format(months.map(formatMonth))} ${months.length === 1 ? 'is' : 'are'} closed`;

/** Closed months in Data Entry (docs/product/month-close.md, After the close). */
export const texts = {
  stay: (month: string) =>
    `${areClosed([month])}. Amounts, items, dealerships, owners and months of its rows stay as they are.`,
  adjust: (month: string) =>
    `${areClosed([month])}. Changes to amounts, items, dealerships, owners and months become adjustments.`,
  stayIn: (months: readonly string[]) =>
    `${areClosed(months)}. Only people who may close months can change amounts, items, dealerships, owners and months there.`,
  adjustIn: (months: readonly string[]) =>
    `${areClosed(months)}. Changes to amounts, items, dealerships, owners and months there need a reason and become adjustments.`,
} as const;
