import { formatPlural } from '../platform/formats.ts';

const emails = (count: number): string => formatPlural(count, 'email');

export const texts = {
  title: (count: number) => `Send emails about ${formatPlural(count, 'row')}`,
  perLabel: 'One email for each',
  per: { deal: 'One email for each row', dealership: 'One digest for each dealership' },
  template: 'Template',
  ownTemplate: 'The default template of each dealership',
  table: 'Emails to send',
  customer: 'Customer',
  dealership: 'Dealership',
  deals: 'Rows in it',
  count: (count: number) => formatPlural(count, 'row'),
  to: 'To',
  state: 'State',
  ready: 'Ready',
  notReady: 'Cannot be sent',
  sentBefore: (name: string, when: string) => `Sent before: ${name}, ${when}`,
  sentUnconfirmed: (name: string, when: string) => `Sent before, may have arrived: ${name}, ${when}`,
  amongThem: (count: number, names: string) =>
    `${formatPlural(count, 'row')} of it went out before: ${names}`,
  nobody: 'Nobody',
  reviewFailed: 'The emails could not be prepared',
  someNotReady: (count: number) =>
    `${emails(count)} cannot be sent. The reason stands beside each; correct it and open this again, or send the others.`,
  someBefore: (count: number) => `${emails(count)} went out before. Tick what is to go out a second time.`,
  sums: (chosen: number, total: number, notReady: number, before: number) =>
    [
      `${chosen} of ${total} ticked`,
      notReady > 0 && `${notReady} cannot be sent`,
      before > 0 && `${before} sent before`,
    ]
      .filter(Boolean)
      .join(' · '),
  rowFiles: 'Attach the files of each row',
  files: (names: readonly string[], size: string) =>
    `${formatPlural(names.length, 'file')}, ${size}: ${names.join(', ')}`,
  noRows: 'There is nothing to send',
  choose: 'Tick at least one email',
  send: (count: number) => `Send ${emails(count)}`,
  cancel: 'Cancel',
  close: 'Close',
  unnamed: 'Unnamed',

  sendingTitle: (count: number) => `Sending ${emails(count)}`,
  progress: (done: number, total: number) => `${done} of ${total} are through`,
  callBack: 'Cancel the waiting emails',
  retry: (count: number) => `Try ${formatPlural(count, 'email')} again`,
  history: 'Show them in Email History',
  stays: 'You can close this. The emails will still be sent.',
} as const;
