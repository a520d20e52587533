import type { MailProvider } from '@forecourt/contract/email-settings';
import { ApiError } from '../../platform/api-error.ts';
import { call } from '../../platform/api.ts';
import { readQuery, useAttempt, useCall } from '../../platform/read-query.ts';
import { texts } from '../../texts/email-settings.ts';

export const emailSettingsKey = ['email-settings'] as const;

/** All users with the state of their mail server, for administrators. */
export const peopleQuery = readQuery([...emailSettingsKey, 'people'], 'GET /email-settings/users');

/** Saves, tests and removes the mail server of one user; reloads the list. */
export const useEmailSettings = () => ({
  save: useCall(emailSettingsKey, 'PUT /email-settings/user/:id'),
  verify: useCall(emailSettingsKey, 'POST /email-settings/user/:id/verify'),
  remove: useCall(emailSettingsKey, 'DELETE /email-settings/user/:id'),
});

export const mailboxQuery = readQuery([...emailSettingsKey, 'mailbox'], 'GET /email-settings/mailbox');

/** Returns where the user's mailbox is connected: at its provider. */
export const connectMailbox = (body: { provider: MailProvider; address: string }) =>
  call('POST /email-settings/mailbox/connect', { body });

/** Connects the user's mailbox after the redirect from its provider, and disconnects it. */
export const useMailbox = () => ({
  finish: useAttempt(emailSettingsKey, (body: { state: string; code?: string; error?: string }) =>
    call('POST /email-settings/mailbox/finish', { body }),
  ),
  disconnect: useAttempt(emailSettingsKey, () => call('DELETE /email-settings/mailbox')),
});

/** Returns the message of a failure by its status, or the fallback (docs/product/screens.md, Failed calls). */
export const failureText = (thrown: unknown, usual: string): string =>
  (thrown instanceof ApiError ? texts.refusals[thrown.status] : undefined) ?? usual;
