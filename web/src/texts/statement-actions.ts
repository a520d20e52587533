import type { AccountingProgram } from '@forecourt/contract/months';
import type { StatementKind } from '@forecourt/contract/statements';
import { formatCount, formatMonth, formatPlural } from '../platform/formats.ts';

const programs: Readonly<Record<AccountingProgram, string>> = { xero: 'Xero', myob: 'MYOB' };

const statements = (count: number): string => formatPlural(count, 'statement');
const dealerships = (count: number): string => formatPlural(count, 'dealership');

/** Texts of sending statements and of files for accounting (docs/product/month-close.md, Sending, Files). */
export const texts = {
  send: 'Send…',
  sendTitle: (month: string) => `Send account statements of ${formatMonth(month)}`,
  sendNote: 'Each dealership gets its statement as a PDF, sent to the contacts that use the template.',
  template: 'Template',
  chooseTemplate: 'Choose a template',
  templateHint:
    'A template about statements. It can contain the statement’s number, month and total, but nothing about a row.',
  noTemplate: 'There is no active template that you may use. Ask an administrator for one.',
  templatesFailed: 'Failed to load the templates',
  statements: 'Statements to send',
  allUnsent: (count: number) => `All that were not sent yet (${formatCount(count)})`,
  sentOn: (time: string) => `sent ${time}`,
  sentAgain: (count: number) =>
    `${count === 1 ? '1 statement was' : `${formatCount(count)} statements were`} sent before. The contacts get ${count === 1 ? 'it' : 'them'} once more.`,
  chooseStatements: 'Tick at least one statement',
  submit: (count: number) => `Send ${statements(count)}`,
  progress: (done: number, total: number) =>
    `${formatCount(done)} of ${formatCount(total)} files are created`,
  cancel: 'Cancel',

  sentTitle: 'Account statements',
  sent: (count: number) =>
    `${statements(count)} ${count === 1 ? 'is' : 'are'} on the way. Email History shows what arrives.`,
  notSent: (count: number) => `No email to ${dealerships(count)}`,
  notSentNext: 'Nothing was sent to them. Correct this and send their statements again.',
  history: 'Show in Email History',
  close: 'Close',

  mayNotSend: 'Only people who may close months can send statements. Ask an administrator.',
  sendNotWhileViewing: 'Nothing can be sent while you view as somebody else',

  accounting: 'Accounting…',
  accountingTitle: (kind: StatementKind, month: string) =>
    `${kind === 'commission' ? 'Bills' : 'Invoices'} of ${formatMonth(month)} for accounting`,
  accountingNote: {
    commission: 'A CSV file for the import of bills. Each commission statement is one bill.',
    account: 'A CSV file for the import of sales invoices. Each account statement is one invoice.',
  },
  program: 'Program',
  programs,
  account: 'Account number',
  accountHints: {
    xero: 'All amounts are posted to this account. If it is left empty, choose the account in Xero. In Xero’s import choose Tax inclusive.',
    myob: 'All amounts are posted to this account, for example 4-1000.',
  },
  accountMissing: 'MYOB needs an account number',
  names: {
    commission: 'The program must know people by the same names.',
    account: 'The program must know dealerships by the same names.',
  },
  download: 'Download',
  downloadFailed: 'The file could not be downloaded. Please try again.',
  fileName: (program: AccountingProgram, kind: StatementKind, month: string) =>
    `${programs[program]} ${kind === 'commission' ? 'bills' : 'invoices'} ${month}.csv`,
} as const;
