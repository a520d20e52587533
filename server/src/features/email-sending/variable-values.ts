import type { Contact } from '@forecourt/contract/dealerships';
import type { Deal } from '@forecourt/contract/deals';
import type { LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { invalid } from '../../platform/http/errors.ts';
import { dealTable, type DealTable } from './deal-table.ts';
import { formatValue } from './formats.ts';

/** What messages tell of a deal. */
type DealFacts = Pick<
  Deal,
  | 'customerName'
  | 'customerNumber'
  | 'customerEmail'
  | 'dealNumber'
  | 'vehicle'
  | 'deliveryDate'
  | 'saleAmount'
  | 'status'
  | 'notes'
>;

/** What a message is about, as its sender may see it: what they may not see is not in here. */
export type Subjects = {
  deal: DealFacts | undefined;
  /** All that the message is about: those of a digest, or the one. */
  deals: DealFacts[];
  dealership: { name: string; address: string | undefined } | undefined;
  contact: Pick<Contact, 'name'> | undefined;
  sender: { name: string; email: string };
  company: { name: string };
  /** The business date in TIME_ZONE. */
  today: string;
};

const LOOKUP: Record<LinkedData, (subjects: Subjects) => string | number | null | undefined> = {
  'deal.customerName': ({ deal }) => deal?.customerName,
  'deal.customerNumber': ({ deal }) => deal?.customerNumber,
  'deal.customerEmail': ({ deal }) => deal?.customerEmail,
  'deal.dealNumber': ({ deal }) => deal?.dealNumber,
  'deal.vehicle': ({ deal }) => deal?.vehicle,
  'deal.deliveryDate': ({ deal }) => deal?.deliveryDate,
  'deal.saleAmount': ({ deal }) => deal?.saleAmount,
  'deal.status': ({ deal }) => deal?.status,
  'deal.notes': ({ deal }) => deal?.notes,
  // Where only a line of text can stand. A table by itself is one (deal-table.ts).
  'deals.table': ({ deals }) => deals.map(({ customerName }) => customerName ?? '').join(', '),
  'deals.count': ({ deals }) => String(deals.length),
  'dealership.name': ({ dealership }) => dealership?.name,
  'dealership.address': ({ dealership }) => dealership?.address,
  'contact.name': ({ contact }) => contact?.name,
  'sender.name': ({ sender }) => sender.name,
  'sender.email': ({ sender }) => sender.email,
  'company.name': ({ company }) => company.name,
  today: ({ today }) => today,
};

export type ResolvedValues = {
  /** Every declared key with its text; empty where there is nothing to say. */
  values: Map<string, string>;
  /** The tables of deals among them, for where there is room for one. */
  tables: Map<string, DealTable>;
  /** Required variables that have no value. */
  missing: TemplateVariable[];
};

/**
 * The value of every declared variable: the given one, else the linked one, else the default. A given value
 * that is blank counts as not given; names that start with an underscore are dropped (spec.md section 7).
 * Throws a 400 that names a given value nobody declared.
 */
export function resolveVariables(
  variables: TemplateVariable[],
  given: Record<string, string>,
  subjects: Subjects,
): ResolvedValues {
  const declared = new Set(variables.map(({ key }) => key));
  const unknown = Object.keys(given).filter((key) => !key.startsWith('_') && !declared.has(key));
  if (unknown.length > 0) {
    throw invalid(
      unknown.map((key) => ({ path: ['variables', key], message: 'This template has no such variable' })),
    );
  }
  const values = new Map<string, string>();
  const tables = new Map<string, DealTable>();
  for (const { key, linkedData, defaultValue } of variables) {
    const typed = Object.hasOwn(given, key) ? given[key]!.trim() : '';
    const linked = linkedData ? formatValue(linkedData, LOOKUP[linkedData](subjects)) : '';
    values.set(key, typed || linked || defaultValue);
    if (linkedData === 'deals.table' && !typed && subjects.deals.length > 0) {
      tables.set(key, dealTable(subjects.deals));
    }
  }
  return { values, tables, missing: variables.filter(({ key, required }) => required && !values.get(key)) };
}
