import { caselessKey } from '@forecourt/contract/characters';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import { formatMonth } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-import.ts';

/** The numbers by which a line equals another row. Null: the line has none. */
export type Numbers = { readonly phone: string | null; readonly dealNumber: string | null };
export type NumberedLine = { readonly number: number; readonly numbers: Numbers };

export type NumbersQuery = { customerNumbers?: string[]; dealNumbers?: string[] };

/** Returns each number once, in as few requests as the server allows. Columns without numbers are omitted. */
export function numbersOf(lines: readonly NumberedLine[]): NumbersQuery[] {
  const customerNumbers = new Set<string>();
  const dealNumbers = new Set<string>();
  for (const { numbers } of lines) {
    if (numbers.phone !== null) customerNumbers.add(numbers.phone);
    if (numbers.dealNumber !== null) dealNumbers.add(caselessKey(numbers.dealNumber));
  }
  const most = Math.max(customerNumbers.size, dealNumbers.size);
  return Array.from({ length: Math.ceil(most / MAX_BULK_RECORDS) }, (_, part) => {
    const partOf = (numbers: ReadonlySet<string>) =>
      [...numbers].slice(part * MAX_BULK_RECORDS, (part + 1) * MAX_BULK_RECORDS);
    const [phones, deals] = [partOf(customerNumbers), partOf(dealNumbers)];
    return {
      ...(phones.length > 0 && { customerNumbers: phones }),
      ...(deals.length > 0 && { dealNumbers: deals }),
    };
  });
}

/** `Ann Example, Harbour New Cars, November 2026`. */
const describeExisting = ({ customerName, dealershipName, month }: ExistingDeal): string =>
  [customerName ?? texts.unnamedRow, dealershipName, formatMonth(month)].filter(Boolean).join(', ');

/** Returns for each duplicate line the text of what it equals: an existing row, or an earlier line of the file. */
export function duplicatesOf(
  lines: readonly NumberedLine[],
  existing: readonly ExistingDeal[],
): ReadonlyMap<number, string> {
  const byPhone = new Map<string, string>();
  const byNumber = new Map<string, string>();
  for (const deal of existing) {
    const text = describeExisting(deal);
    if (deal.customerNumber) byPhone.set(deal.customerNumber, text);
    if (deal.dealNumber) byNumber.set(caselessKey(deal.dealNumber), text);
  }
  const found = new Map<number, string>();
  for (const { number, numbers } of lines) {
    const phone = numbers.phone ?? '';
    const dealNumber = caselessKey(numbers.dealNumber ?? '');
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
