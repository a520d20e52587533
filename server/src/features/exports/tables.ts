import type { AuditLogEntry } from '@forecourt/contract/audit';
import { readableCustomValue } from '@forecourt/contract/custom-field-types';
import {
  dealColumns,
  fieldOf,
  isColumn,
  titlesIn,
  type DealColumn,
  type DealFieldName,
  type FieldType,
} from '@forecourt/contract/deal-fields';
import type { ExportKind } from '@forecourt/contract/exports';
import type { CellValue, ExportColumn } from '../../platform/table-files/cells.ts';
import type { VisibleFields } from '../custom-fields/custom-fields.service.ts';
import type { ExportedDeal } from '../deals/list/deal-list.service.ts';
import type { StoredRecord, WholeKind } from './records.queries.ts';

/** Names of files and sheets. */
export const TITLES: Record<ExportKind, string> = {
  deals: 'Deals',
  dealerships: 'Dealerships',
  contacts: 'Contacts',
  templates: 'Email templates',
  emails: 'Email history',
  audit: 'Audit log',
  users: 'Users',
};

type Columns<R> = readonly ExportColumn<R>[];

/** A row with whether its phone number and email address are on the Do not contact list. */
export type MarkedDeal = ExportedDeal & { isPhoneListed: boolean; isEmailListed: boolean };

/** `column` decides whether the viewer may see the field; without it the field is always visible. */
type DealExportColumn = ExportColumn<MarkedDeal> & { column?: DealColumn };

const items = ({ items: sold }: MarkedDeal): string =>
  (sold ?? []).map(({ name, quantity }) => (quantity === 1 ? name : `${name} x${quantity}`)).join(', ');

/** The types of cells, by type of field; others are text. */
const CELLS: { readonly [type in FieldType]?: ExportColumn<MarkedDeal>['type'] } = {
  number: 'number',
  currency: 'money',
  percent: 'percent',
  date: 'date',
  time: 'instant',
  checkbox: 'flag',
};

/** The fields whose cell has another value than the field. */
const READ: { readonly [name in DealFieldName]?: (deal: MarkedDeal) => CellValue } = {
  dealershipId: (deal) => deal.dealershipName,
  items,
  owner: (deal) => deal.ownerName,
};

const titles = titlesIn('export');
const column = (name: DealFieldName): DealExportColumn => ({
  header: titles[name],
  type: CELLS[fieldOf(name).type] ?? 'text',
  ...(isColumn(name) && { column: name }),
  of: READ[name] ?? ((deal) => deal[name] as CellValue),
});

/** The columns that are no field of a deal, after their fields. */
const AFTER: { readonly [name in DealColumn]?: readonly DealExportColumn[] } = {
  // Commission of a row whose status does not count is excluded from totals and statements.
  commission: [
    {
      header: 'Counts for commission',
      type: 'flag',
      column: 'commission',
      of: (deal) => deal.countsForCommission,
    },
  ],
  notes: [{ header: 'Comments', type: 'text', of: ({ comments }) => comments }],
  followUpAt: [column('month')],
  owner: [
    {
      header: 'Do not call',
      type: 'flag',
      column: 'customerNumber',
      of: ({ isPhoneListed }) => isPhoneListed,
    },
    {
      header: 'Do not email',
      type: 'flag',
      column: 'customerEmail',
      of: ({ isEmailListed }) => isEmailListed,
    },
  ],
};

const DEALS: readonly DealExportColumn[] = [
  ...dealColumns.flatMap((name) => [column(name), ...(AFTER[name] ?? [])]),
  column('createdAt'),
  column('updatedAt'),
];

export const dealColumnsFor = (seen: readonly DealColumn[]): Columns<MarkedDeal> =>
  DEALS.filter(({ column }) => column === undefined || seen.includes(column));

/** Returns the columns of custom fields, with options and people by name. */
export const customColumns = ({ fields, people }: VisibleFields): Columns<MarkedDeal> =>
  fields.map((field) => ({
    header: field.name,
    type: CELLS[field.type] ?? 'text',
    of({ custom = {} }) {
      const value = custom[field.key];
      if (field.type === 'checkbox') return value === true;
      return value === undefined ? null : readableCustomValue(field, value, (id) => people.get(id));
    },
  }));

export const WHOLE: Record<WholeKind, Columns<StoredRecord>> = {
  dealerships: [
    { header: 'Name', type: 'text', of: ({ name }) => name },
    { header: 'Address', type: 'text', of: ({ address }) => address },
    { header: 'Active', type: 'flag', of: ({ active }) => active },
    { header: 'Default template', type: 'text', of: ({ template }) => template },
    { header: 'Contacts', type: 'number', of: ({ contacts }) => contacts },
    { header: 'Owner', type: 'text', of: ({ owner }) => owner },
    { header: 'Created', type: 'instant', of: ({ createdAt }) => createdAt },
  ],
  contacts: [
    { header: 'Dealership', type: 'text', of: ({ dealership }) => dealership },
    { header: 'Name', type: 'text', of: ({ name }) => name },
    { header: 'Email', type: 'text', of: ({ email }) => email },
    { header: 'Template', type: 'text', of: ({ template }) => template },
    { header: 'To', type: 'flag', of: ({ inTo }) => inTo },
    { header: 'Cc', type: 'flag', of: ({ inCc }) => inCc },
    { header: 'Active', type: 'flag', of: ({ active }) => active },
  ],
  templates: [
    { header: 'Name', type: 'text', of: ({ name }) => name },
    { header: 'Subject', type: 'text', of: ({ subject }) => subject },
    { header: 'Status', type: 'text', of: ({ status }) => status },
    { header: 'Version', type: 'number', of: ({ version }) => version },
    { header: 'Owner', type: 'text', of: ({ owner }) => owner },
    { header: 'Changed', type: 'instant', of: ({ updatedAt }) => updatedAt },
  ],
  users: [
    { header: 'Name', type: 'text', of: ({ name }) => name },
    { header: 'Email', type: 'text', of: ({ email }) => email },
    { header: 'Role', type: 'text', of: ({ role }) => role },
    { header: 'Active', type: 'flag', of: ({ isActive }) => isActive },
    { header: 'Last login', type: 'instant', of: ({ lastLogin }) => lastLogin },
    { header: 'Created', type: 'instant', of: ({ createdAt }) => createdAt },
  ],
};

export const EMAILS: Columns<StoredRecord> = [
  { header: 'When', type: 'instant', of: ({ createdAt }) => createdAt },
  { header: 'Sender', type: 'text', of: ({ sender }) => sender },
  { header: 'From', type: 'text', of: ({ fromAddress }) => fromAddress },
  { header: 'To', type: 'text', of: ({ to }) => to },
  { header: 'Cc', type: 'text', of: ({ cc }) => cc },
  { header: 'Subject', type: 'text', of: ({ subject }) => subject },
  { header: 'Template', type: 'text', of: ({ template }) => template },
  { header: 'Template version', type: 'number', of: ({ version }) => version },
  { header: 'Dealership', type: 'text', of: ({ dealership }) => dealership },
  { header: 'Status', type: 'text', of: ({ status }) => status },
  { header: 'Sent', type: 'instant', of: ({ sentAt }) => sentAt },
  { header: "Server's answer", type: 'text', of: ({ answer }) => answer },
];

const json = (values: object | null): string | null => (values ? JSON.stringify(values) : null);

export const AUDIT: Columns<AuditLogEntry> = [
  { header: 'Entry', type: 'text', of: ({ _id }) => _id },
  { header: 'When', type: 'instant', of: ({ at }) => at },
  { header: 'Who', type: 'text', of: ({ actorName }) => actorName },
  { header: 'Action', type: 'text', of: ({ action }) => action },
  { header: 'Record', type: 'text', of: ({ recordName }) => recordName },
  { header: 'Record id', type: 'text', of: ({ recordId }) => recordId },
  { header: 'Before', type: 'text', of: ({ before }) => json(before) },
  { header: 'After', type: 'text', of: ({ after }) => json(after) },
  { header: 'Address', type: 'text', of: ({ ip }) => ip },
  { header: 'Request', type: 'text', of: ({ requestId }) => requestId },
];
