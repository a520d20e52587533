import type { ExportFormat, ExportKind } from '@forecourt/contract/exports';
import { instantsOf } from '../../platform/days.ts';
import type { NewExport } from './exports.queries.ts';

const NO_FILTERS = {
  month: '',
  dealershipId: '',
  status: '',
  owner: '',
  actorId: '',
  /** Days: business days for deals and emails, days in the browser's zone for the audit log. */
  from: '',
  to: '',
  search: '',
  /** Conditions on columns of deals as JSON. */
  filter: '',
  /** Filters of the audit log, which only its screen sets. */
  entity: '',
  action: '',
  recordId: '',
};

/** An empty text is no filter. */
export type ExportValues = typeof NO_FILTERS & { kind: ExportKind; format: ExportFormat };

const EMPTY: ExportValues = { kind: 'deals', format: 'xlsx', ...NO_FILTERS };

/** The filters that each kind has. */
export const FIELDS_OF: Record<ExportKind, readonly (keyof ExportValues)[]> = {
  deals: ['month', 'from', 'to', 'dealershipId', 'status', 'owner', 'search', 'filter'],
  emails: ['from', 'to', 'status', 'search'],
  audit: ['actorId', 'from', 'to', 'search', 'entity', 'action', 'recordId'],
  dealerships: [],
  contacts: [],
  templates: [],
  users: [],
};

const isKind = (text: string | undefined): text is ExportKind =>
  text !== undefined && Object.hasOwn(FIELDS_OF, text);

/** Returns the form values in a link to this screen; null if it has none. */
export function valuesOfLink(search: Readonly<Record<string, string | undefined>>): ExportValues | null {
  const { kind, fromDay, toDay, ...filters } = search;
  if (!isKind(kind)) return null;
  const knownFilters = Object.entries(filters).filter(
    (pair): pair is [string, string] => Boolean(pair[1]) && Object.hasOwn(EMPTY, pair[0]),
  );
  return { ...EMPTY, ...Object.fromEntries(knownFilters), kind, from: fromDay ?? '', to: toDay ?? '' };
}

export const emptyValues = (): ExportValues => EMPTY;

/** Returns the request: the non-empty filters that the kind has. */
export function requestOf(values: ExportValues): NewExport {
  const { kind, format } = values;
  const filled = FIELDS_OF[kind]
    .filter((field) => values[field] !== '')
    .map((field) => [field, values[field]]);
  const { from, to, ...filters }: Partial<Record<keyof ExportValues, string>> = Object.fromEntries(filled);
  const days = kind === 'audit' ? instantsOf({ fromDay: from, toDay: to }) : { from, to };
  return { kind, format, ...filters, ...days } as NewExport;
}
