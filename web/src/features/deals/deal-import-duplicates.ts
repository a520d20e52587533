import type { ExistingDeal } from '@forecourt/contract/deal-import';
import { formatMonth } from '../../platform/formats.ts';
import { texts } from '../../texts/deal-import.ts';

/** By what a line is told to be the same as another row. Null: the line has none. */
export type Numbers = { readonly phone: string | null; readonly dealNumber: string | null };
export type NumberedLine = { readonly number: number; readonly numbers: Numbers };

/** Upper and lower case of deal numbers are the same. */
const dealNumberKey = (dealNumber: string): string => dealNumber.toLowerCase();

export type AskedNumbers = { customerNumbers?: string[]; dealNumbers?: string[] };

/** Each number once, as the server is asked about it; of a column that brings none nothing is asked. */
export function numbersOf(lines: readonly NumberedLine[]): AskedNumbers {
  const customerNumbers = new Set<string>();
  const dealNumbers = new Set<string>();
  for (const { numbers } of lines) {
    if (numbers.phone !== null) customerNumbers.add(numbers.phone);
    if (numbers.dealNumber !== null) dealNumbers.add(dealNumberKey(numbers.dealNumber));
  }
  return {
    ...(customerNumbers.size > 0 && { customerNumbers: [...customerNumbers] }),
    ...(dealNumbers.size > 0 && { dealNumbers: [...dealNumbers] }),
  };
}

/** `Ann Example, Harbour New Cars, November 2026`. */
const existingWords = ({ customerName, dealershipName, month }: ExistingDeal): string =>
  [customerName ?? texts.unnamedRow, dealershipName, formatMonth(month)].filter(Boolean).join(', ');

/**
 * What each line is a duplicate of, in words: a row that is there already, or an earlier line of the file. Lines
 * that are like no other are not in it.
 */
export function duplicatesOf(
  lines: readonly NumberedLine[],
  existing: readonly ExistingDeal[],
): ReadonlyMap<number, string> {
  const byPhone = new Map<string, string>();
  const byNumber = new Map<string, string>();
  for (const deal of existing) {
    const words = existingWords(deal);
    if (deal.customerNumber) byPhone.set(deal.customerNumber, words);
    if (deal.dealNumber) byNumber.set(dealNumberKey(deal.dealNumber), words);
  }
  const found = new Map<number, string>();
  for (const { number, numbers } of lines) {
    const phone = numbers.phone ?? '';
    const dealNumber = dealNumberKey(numbers.dealNumber ?? '');
    const [asPhone, asNumber] = [byPhone.get(phone), byNumber.get(dealNumber)];
    if (asPhone !== undefined && asPhone === asNumber) found.set(number, texts.sameBoth(asPhone));
    else if (asPhone !== undefined || asNumber !== undefined) {
      const reasons = [
        asPhone !== undefined && texts.samePhone(asPhone),
        asNumber !== undefined && texts.sameNumber(asNumber),
      ];
      found.set(number, reasons.filter(Boolean).join('. '));
    }
    if (phone !== '' && asPhone === undefined) byPhone.set(phone, texts.lineAs(number));
    if (dealNumber !== '' && asNumber === undefined) byNumber.set(dealNumber, texts.lineAs(number));
  }
  return found;
}
