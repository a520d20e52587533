import type { EmailStatus } from '@forecourt/contract/email-sending';

/** Texts of sending an email and of the message as it goes out. */
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
  loading: 'Loading...',
  previewFailed: 'Failed to preview template',
  problems: 'This email cannot be sent yet',
  send: 'Send',
  sendTest: 'Send test to me',
  cancel: 'Cancel',
  queued: 'Email queued',
  testQueued: (email: string) => `Test queued for ${email}`,
  sent: (to: string) => `Email sent to ${to}`,
  failedBecause: (reason: string) => `Failed to send email: ${reason}`,
  retrying: (reason: string) => `The mail server asked to wait; the email will be tried again. ${reason}`,
  undo: 'Undo',
  undone: 'The email was called back and will not be sent',
} as const;

/** The fate of a message in a word. */
export const statusTexts: Readonly<Record<EmailStatus, string>> = {
  queued: 'Queued',
  sending: 'Sending',
  sent: 'Sent',
  retrying: 'Retrying',
  failed: 'Failed',
  cancelled: 'Cancelled',
};
