import type { VerifyStep } from '@forecourt/contract/email-settings';

/** Texts of the Email Settings screen (docs/product/email.md, Mail servers of people). */
export const texts = {
  title: 'Email Settings',
  note: 'Emails are sent through the mail server of their sender.',
  loadFailed: 'Failed to fetch users settings',
  refusals: {
    401: 'Authentication required',
    403: 'Admin access required to manage email settings',
  } as Readonly<Record<number, string>>,
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
  verified: 'SMTP connection verified successfully',
  verifyFailed: 'Failed to verify SMTP connection',
  saved: 'Email settings saved successfully',
  saveFailed: 'Failed to save email settings',
  deleted: 'Email settings deleted successfully',
  deleteFailed: 'Failed to delete user settings',
  wait: 'Wait until the last step is finished',
  leaveTitle: 'Leave without saving?',
  leaveQuestion: (name: string) =>
    `Your changes to the email settings of ${name} are not saved and will be lost.`,
  leave: 'Leave without saving',
  deleteTitle: 'Delete Settings',
  deleteQuestion: 'Are you sure you want to delete these email settings?',
  deleteWhat: (name: string) => `${name} cannot send emails until new settings are entered.`,
  steps: {
    name: 'Name found',
    connection: 'Connection',
    tls: 'Encryption',
    signIn: 'Sign-in',
    sender: 'Sender accepted',
  } satisfies Record<VerifyStep, string>,
} as const;
