import type { EmailStatus } from '@forecourt/contract/email-sending';
import { errorCatalogue } from './error-catalogue.ts';

/** Texts of sending an email and of its preview. */
export const texts = {
  titleFor: (customerName: string) => `Send email about ${customerName}`,
  template: 'Template',
  from: 'From',
  to: 'To',
  cc: 'Cc',
  subject: 'Subject',
  chooseTemplate: 'Choose a template',
  noTemplate: 'There is no active template that you may use. Ask an administrator for one.',
  isDefault: (name: string) => `${name} (default)`,
  noPreview: 'You may send this email but not read it beforehand.',
  nobody: 'Nobody',
  noSubject: '(no subject)',
  view: 'View',
  desktop: 'Desktop',
  phone: 'Phone',
  plainText: 'Plain text',
  messageFrame: 'The message',
  colours: 'Colours',
  light: 'Light',
  dark: 'Dark',
  loading: 'Loading...',
  previewFailed: errorCatalogue.templates.preview,
  problems: 'This email cannot be sent yet',
  staysBlank: (labels: readonly string[]) => `No value, left blank: ${labels.join(', ')}`,
  send: 'Send',
  sendAgain: 'Send again',
  sentBefore: (name: string, when: string) =>
    `${name} sent this on ${when}. Sending it again makes a second email.`,
  sendLater: 'Send later',
  sendAt: 'Send at',
  sendAtNote: 'On the company’s clock. It can be called back in Email History.',
  planned: (when: string) => `Email planned for ${when}`,
  sendTest: 'Send test to me',
  cancel: 'Cancel',
  queued: 'Email queued',
  testQueued: (email: string) => `Test queued for ${email}`,
  sent: (to: string) => `Email sent to ${to}`,
  failedBecause: (reason: string) => `${errorCatalogue.templates.send}: ${reason}`,
  retrying: (reason: string) => `The mail server asked to wait; the email will be tried again. ${reason}`,
  undo: 'Undo',
  undone: 'The email was called back and will not be sent',
} as const;

/** Labels of the states of a message. */
export const statusTexts: Readonly<Record<EmailStatus, string>> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  retrying: 'Retrying',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
