import type { VerifyStep } from '@forecourt/contract/email-settings';
import { errorCatalogue } from '../platform/error-catalogue.ts';

const { emailSettings } = errorCatalogue;

/** Texts of the Email Settings screen (docs/product/email.md, Mail servers of people). */
export const texts = {
  title: 'Email Settings',
  note: 'Emails are sent through the mail server of their sender.',
  loadFailed: emailSettings.fetchPeople,
  refusals: { 401: emailSettings.signInRequired, 403: emailSettings.adminRequired } as Readonly<
    Record<number, string>
  >,
  roles: { admin: 'Administrator', user: 'User' },
  configured: 'Configured',
  notConfigured: 'Not Configured',

  host: 'SMTP Host',
  port: 'SMTP Port',
  secure: 'Use SSL/TLS',
  secureHint:
    'On: encrypted from the start (usually port 465). Off: encrypted by STARTTLS (usually port 587).',
  username: 'SMTP Username',
  password: 'SMTP Password',
  passwordStored: 'Saved. Enter it again to test or change it.',
  fromEmail: 'From Email',
  on: 'On',
  off: 'Off',
  none: 'None',
  lastVerified: 'Last verified',
  never: 'Never',

  test: 'Test Connection',
  save: 'Save Settings',
  delete: 'Delete Settings',
  incomplete: 'Fill in all fields first, including the password',
  verified: emailSettings.verified,
  verifyFailed: emailSettings.verify,
  saved: emailSettings.saved,
  saveFailed: emailSettings.save,
  deleted: emailSettings.deleted,
  deleteFailed: emailSettings.deletePerson,
  wait: 'Wait until the last step is finished',
  leaveTitle: 'Leave without saving?',
  leaveQuestion: (name: string) =>
    `Your changes to the email settings of ${name} are not saved and will be lost.`,
  leave: 'Leave without saving',
  deleteTitle: 'Delete Settings',
  deleteQuestion: emailSettings.deleteQuestion,
  deleteWhat: (name: string) => `${name} cannot send emails until new settings are entered.`,
  steps: {
    name: 'Name found',
    connection: 'Connection',
    tls: 'Encryption',
    signIn: 'Sign-in',
    sender: 'Sender accepted',
  } satisfies Record<VerifyStep, string>,
} as const;
