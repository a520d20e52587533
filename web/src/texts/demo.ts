import { MAX_MAILBOX_MESSAGES } from '@forecourt/contract/demo-limits';

export const texts = {
  title: 'Mailbox',
  note: `What this demo sent, as it arrives. None of it leaves the server; the newest ${MAX_MAILBOX_MESSAGES} are kept until it stops.`,
  table: 'Messages',
  from: 'From',
  to: 'To',
  subject: 'Subject',
  when: 'When',
  noSubject: '(no subject)',
  open: (subject: string) => `Open message: ${subject}`,
  loadFailed: 'The mailbox could not be loaded.',
  messageFailed: 'The message could not be loaded. It may have made room for newer ones.',
  empty: 'Nothing has been sent yet',
  emptyNext: 'Send an email from a row in Data Entry. It arrives here a few seconds later.',
  openDataEntry: 'Open Data Entry',
} as const;
