import type { MailProvider } from '@forecourt/contract/email-settings';
import { ApiError } from '../../platform/api-error.ts';
import { call } from '../../platform/api.ts';
import { readQuery, useAttempt, useCall } from '../../platform/read-query.ts';
import { texts } from '../../texts/email-settings.ts';

export const emailSettingsKey = ['email-settings'] as const;

/** All users with the state of their mail server, for administrators. */
export const peopleQuery = readQuery([...emailSettingsKey, 'people'], 'GET /email-settings/users');

/** Each call reloads the list. */
export const useEmailSettings = () => ({
  save: useCall(emailSettingsKey, 'PUT /email-settings/user/:id'),
  verify: useCall(emailSettingsKey, 'POST /email-settings/user/:id/verify'),
  remove: useCall(emailSettingsKey, 'DELETE /email-settings/user/:id'),
});

export const mailboxQuery = readQuery([...emailSettingsKey, 'mailbox'], 'GET /email-settings/mailbox');

/** Returns the URL at the provider where the user gives consent. */
export const connectMailbox = (body: { provider: MailProvider; address: string }) =>
  call('POST /email-settings/mailbox/connect', { body });

/** Connects the user's mailbox after the redirect from its provider, or disconnects it. */
export const useMailbox = () => ({
  finish: useAttempt(emailSettingsKey, (body: { state: string; code?: string; error?: string }) =>
    call('POST /email-settings/mailbox/finish', { body }),
  ),
  disconnect: useAttempt(emailSettingsKey, () => call('DELETE /email-settings/mailbox')),
});

/** Returns the message of a failure by its status, or `usual` (docs/product/screens.md, Failed calls). */
export const failureText = (thrown: unknown, usual: string): string =>
  (thrown instanceof ApiError ? texts.refusals[thrown.status] : undefined) ?? usual;
