import type { Deal } from '@forecourt/contract/deals';
import { expect, it } from 'vitest';
import { mailOf, phoneLink } from './deal-row.ts';

it('a phone number has a link that calls it, unless it is on the Do not contact list', () => {
  const row = { key: 'a', deal: { customerNumber: '(0412) 345 678' } as Deal, draft: undefined };
  expect(phoneLink(row, () => undefined)?.href).toBe('tel:0412345678');
  expect(phoneLink(row, (text) => text === '(0412) 345 678')).toBeNull();
});

const at = '2026-11-02T03:04:05.000Z';
const mail = (emailStatus: Deal['emailStatus'], lastEmailedAt: string | null, isChangedSinceSent = false) =>
  mailOf({ emailStatus, lastEmailedAt, isChangedSinceSent } as Deal);

it.each([
  [mail(null, null), 'none', 'Not sent'],
  [mail('queued', null), 'queued', 'Queued'],
  [mail('cancelled', null), 'cancelled', 'Cancelled'],
  [mail('sent', at), 'sent', 'Sent'],
  [mail('sent', at, true), 'changed', 'Changed since sent'],
  [mail('queued', at), 'queued', 'Sent, another queued'],
  [mail('queued', at, true), 'queued', 'Changed, another queued'],
  [mail('failed', at, true), 'failed', 'Changed, another failed'],
  // A user without the column.
  [mailOf({} as Deal), 'none', 'Not sent'],
])('the mail state tells what was delivered and the state of a newer message: %o', (actual, state, text) => {
  expect(actual).toEqual({ state, text });
});

it('links to the number of a customer, and to nothing where the row has none', () => {
  const linkOf = (customerNumber?: string) =>
    phoneLink({ key: 'd1', deal: { customerNumber } as Deal, draft: undefined }, () => undefined);
  expect(linkOf('(0412) 345 678')?.href).toBe('tel:0412345678');
  for (const none of ['', undefined]) expect(linkOf(none)).toBeNull();
});
