import type { Contact } from '@forecourt/contract/dealerships';
import type { FixedLink, LinkedData, TemplateVariable } from '@forecourt/contract/email-templates';
import { invalid } from '../../platform/http/errors.ts';
import { isDealLink, mailedField, type DealFacts, type DealLink } from './deal-fields.ts';
import { formatDate } from './formats.ts';
import { tableOf, type ValueTable } from './value-tables.ts';

/** The records of a message as its sender may see them. Hidden values are absent. */
export type Subjects = {
  deal: DealFacts | undefined;
  /** All deals of the message: several for a digest, otherwise one. */
  deals: DealFacts[];
  dealership: { name: string; address: string | undefined } | undefined;
  contact: Pick<Contact, 'name'> | undefined;
  sender: { name: string; email: string };
  company: { name: string };
  /** The business date in TIME_ZONE. */
  today: string;
  /** The zone of times in the message. */
  timeZone: string;
};

// The text for places where a table is impossible; a paragraph of its own becomes a table (value-tables.ts).
const customers = ({ deals }: Subjects): string =>
  deals.map(({ customerName }) => customerName ?? '').join(', ');

const OTHER_FIELDS: Record<Exclude<FixedLink, DealLink>, (subjects: Subjects) => string | undefined> = {
  'deals.table': customers,
  'deals.tableWithItems': customers,
  'deals.count': ({ deals }) => String(deals.length),
  'dealership.name': ({ dealership }) => dealership?.name,
  'dealership.address': ({ dealership }) => dealership?.address,
  'contact.name': ({ contact }) => contact?.name,
  'sender.name': ({ sender }) => sender.name,
  'sender.email': ({ sender }) => sender.email,
  'company.name': ({ company }) => company.name,
  today: ({ today }) => formatDate(today),
};

function linkedText(linkedData: LinkedData, subjects: Subjects): string {
  if (!isDealLink(linkedData)) return OTHER_FIELDS[linkedData](subjects) ?? '';
  return subjects.deal ? mailedField(linkedData).text(subjects.deal, subjects.timeZone) : '';
}

/**
 * Resolves every declared variable: the value in the request, else the linked value, else the default. A blank value in
 * the request counts as missing (docs/product/email.md, Variables). Throws a 400 if the request has a value of an
 * undeclared variable.
 */
export function resolveVariables(
  variables: TemplateVariable[],
  given: Record<string, string>,
  subjects: Subjects,
) {
  const declared = new Set(variables.map(({ key }) => key));
  const unknown = Object.keys(given).filter((key) => !declared.has(key));
  if (unknown.length > 0) {
    throw invalid(
      unknown.map((key) => ({ path: ['variables', key], message: 'This template has no such variable' })),
    );
  }
  /** The text of every declared key; may be empty. */
  const values = new Map<string, string>();
  /** The values that are tables, for places where a table is possible. */
  const tables = new Map<string, ValueTable>();
  for (const { key, linkedData, defaultValue } of variables) {
    const typed = Object.hasOwn(given, key) ? given[key]!.trim() : '';
    const linked = linkedData ? linkedText(linkedData, subjects) : '';
    values.set(key, typed || linked || defaultValue);
    const table = typed ? undefined : tableOf(linkedData, subjects);
    if (table) tables.set(key, table);
  }
  return { values, tables, missing: variables.filter(({ key, required }) => required && !values.get(key)) };
}
