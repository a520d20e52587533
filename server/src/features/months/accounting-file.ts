import { csvLines, type CsvCell } from '@forecourt/contract/csv';
import type { AccountingProgram } from '@forecourt/contract/months';
import { statementTitles } from '@forecourt/contract/statement-words';
import type { StatementEntry, StatementKind } from '@forecourt/contract/statements';
import { formatMonth } from '../../platform/formats.ts';
import { formatDate } from '../../platform/table-files/wall-clock.ts';

type Posting = {
  statement: StatementEntry;
  /** The business day of the close, `dd/mm/yyyy`. */
  date: string;
  account: string;
};

type Column = readonly [header: string, of?: (posting: Posting) => CsvCell];

const money = (amount: number): CsvCell => ({ money: amount });
const describe = ({ statement: { kind, month, recipientName } }: Posting): string =>
  `${statementTitles[kind]} ${formatMonth(month)}, ${recipientName}`;

const empty = (...headers: string[]): Column[] => headers.map((header) => [header]);

/** The address of the contact, which the program has already. */
const XERO_ADDRESS = empty(
  'EmailAddress',
  ...[1, 2, 3, 4].map((line) => `POAddressLine${line}`),
  'POCity',
  'PORegion',
  'POPostalCode',
  'POCountry',
);
const XERO_TRACKING = empty('TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2');
const contact: Column = ['*ContactName', ({ statement }) => statement.recipientName];
const xeroNumber: Column = ['*InvoiceNumber', ({ statement }) => statement.number];
const xeroDates: Column[] = [
  ['*InvoiceDate', ({ date }) => date],
  ['*DueDate', ({ date }) => date],
];
const xeroAmount: Column[] = [
  ['*Quantity', () => 1],
  ['*UnitAmount', ({ statement }) => money(statement.totals.total)],
];
const xeroAccount: Column = ['*AccountCode', ({ account }) => account];
const currency: Column = ['Currency', () => 'AUD'];

/** @param taxed, untaxed the names of the rates in Xero's Australian edition */
const xeroTax = (taxed: string, untaxed: string): Column => [
  '*TaxType',
  ({ statement }) => (statement.totals.gstRate > 0 ? taxed : untaxed),
];

/** @param number the header of the number */
const myobColumns = (number: string, more: readonly Column[], status: Column): Column[] => [
  [
    'Co./Last Name',
    ({ statement: { kind, recipientName } }) =>
      kind === 'account' ? recipientName : recipientName.slice(recipientName.lastIndexOf(' ') + 1),
  ],
  [
    'First Name',
    ({ statement: { kind, recipientName } }) =>
      kind === 'account' ? '' : recipientName.slice(0, Math.max(0, recipientName.lastIndexOf(' '))),
  ],
  ['Inclusive', () => 'X'],
  [number, ({ statement }) => statement.number],
  ['Date', ({ date }) => date],
  ...more,
  ['Description', describe],
  ['Account No.', ({ account }) => account],
  ['Amount', ({ statement }) => money(statement.totals.withoutGst)],
  ['Inc-Tax Amount', ({ statement }) => money(statement.totals.total)],
  ['Journal Memo', describe],
  ['Tax Code', ({ statement }) => (statement.totals.gstRate > 0 ? 'GST' : 'FRE')],
  ['Tax Amount', ({ statement }) => money(statement.totals.gst)],
  status,
];

/**
 * The columns of the programs: templates of Xero for bills and for sales invoices (Xero Central, *Import bills*, *Import
 * invoices*), fields of MYOB AccountRight for service purchases and service sales (MYOB Help, *Import and export fields*).
 */
const COLUMNS: Readonly<Record<AccountingProgram, Readonly<Record<StatementKind, readonly Column[]>>>> = {
  xero: {
    commission: [
      contact,
      ...XERO_ADDRESS,
      xeroNumber,
      ...xeroDates,
      ['Total', ({ statement }) => money(statement.totals.total)],
      ...empty('InventoryItemCode'),
      ['Description', describe],
      ...xeroAmount,
      xeroAccount,
      xeroTax('GST on Expenses', 'GST Free Expenses'),
      ['TaxAmount', ({ statement }) => money(statement.totals.gst)],
      ...XERO_TRACKING,
      currency,
    ],
    account: [
      contact,
      ...XERO_ADDRESS,
      xeroNumber,
      ...empty('Reference'),
      ...xeroDates,
      ...empty('InventoryItemCode'),
      ['*Description', describe],
      ...xeroAmount,
      ...empty('Discount'),
      xeroAccount,
      xeroTax('GST on Income', 'GST Free Income'),
      ...XERO_TRACKING,
      currency,
      ...empty('BrandingTheme'),
    ],
  },
  myob: {
    commission: myobColumns(
      'Purchase No.',
      [['Supplier Invoice No.', ({ statement }) => statement.number]],
      ['Purchase Status', () => 'B'],
    ),
    account: myobColumns('Invoice No.', [], ['Sale Status', () => 'I']),
  },
};

/**
 * Returns statements as bills (commission) or sales invoices (account), each with one line, whose amount includes GST, so
 * that the GST of the program is that of the statement. Without a byte order mark, which would be part of the first header.
 */
export function accountingFile(
  program: AccountingProgram,
  kind: StatementKind,
  statements: readonly StatementEntry[],
  { account, dateOf }: { account: string; dateOf: (instant: string) => string },
): string {
  const columns = COLUMNS[program][kind];
  const rows = statements.map((statement) => {
    const posting = { statement, account, date: formatDate(dateOf(statement.closedAt)) };
    return columns.map(([, of]): CsvCell => of?.(posting) ?? '');
  });
  const head = csvLines([columns.map(([header]) => header)]);
  // Rows without an empty line between them are lines of one transaction in MYOB.
  const separator = program === 'myob' ? '\r\n' : '';
  return head + rows.map((row) => csvLines([row])).join(separator);
}
