import { EmailSettingsInput, type EmailSettings } from '@forecourt/contract/email-settings';
import { errorsByField, validate } from '@forecourt/contract/validate';
import { expect, test } from 'vitest';
import { inputOf, isComplete, stepStates, valuesOf } from './SettingsForm.tsx';

const settings: EmailSettings = {
  userId: 'u',
  name: 'Kim Lee',
  email: 'kim@example.com',
  role: 'user',
  smtpHost: 'mail.example.com',
  smtpPort: 587,
  smtpSecure: false,
  smtpUser: 'kim',
  smtpFromEmail: 'deals@example.com',
  provider: null,
  hasSettings: true,
  isConfigured: true,
  lastVerified: null,
  version: 1,
};
const errorsOf = (values: typeof filled) =>
  errorsByField(validate(EmailSettingsInput, inputOf(values)).issues ?? []);
const filled = { ...valuesOf(settings), smtpPassword: ' secret ' };

test('the password is never prefilled and has to be typed', () => {
  expect(valuesOf(settings).smtpPassword).toBe('');
  expect(isComplete(valuesOf(settings))).toBe(false);
  expect(isComplete(filled)).toBe(true);
});

test.each([
  { smtpHost: ' ' },
  { smtpPort: '' },
  { smtpUser: '' },
  { smtpPassword: '  ' },
  { smtpFromEmail: '' },
])('email settings with %o are incomplete', (part) => {
  expect(isComplete({ ...filled, ...part })).toBe(false);
});

test('names are trimmed, the password is sent as it was typed', () => {
  expect(inputOf({ ...filled, smtpHost: ' mail.example.com ', smtpPort: '465' })).toEqual({
    smtpHost: 'mail.example.com',
    smtpPort: 465,
    smtpSecure: false,
    smtpUser: 'kim',
    smtpPassword: ' secret ',
    smtpFromEmail: 'deals@example.com',
  });
});

test.each([0, 65_536, 2.5, 'x', '2e1', '-22', ''])('port %o is refused', (smtpPort) => {
  expect(errorsOf({ ...filled, smtpPort })).toEqual({ smtpPort: 'Must be from 1 to 65535' });
});

test('a sender that is no address is refused', () => {
  expect(errorsOf({ ...filled, smtpFromEmail: 'deals' })).toEqual({
    smtpFromEmail: 'Must be an email address',
  });
  expect(errorsOf(filled)).toEqual({});
});

test('a failed test shows the steps before it and those that were not reached', () => {
  expect(stepStates('tls').map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'open', 'open']);
  expect(stepStates('signIn').map(({ state }) => state)).toEqual(['done', 'done', 'failed', 'open']);
  expect(stepStates(null).every(({ state }) => state === 'done')).toBe(true);
});
