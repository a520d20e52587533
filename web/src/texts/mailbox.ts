import type { MailProvider } from '@forecourt/contract/email-settings';

/** Texts of connecting the user's mailbox by OAuth 2.0. */
export const texts = {
  title: 'Mailbox',
  note: 'Send from your own mailbox without giving anybody its password.',
  providers: { microsoft: 'Microsoft 365', google: 'Google' } satisfies Record<MailProvider, string>,
  provider: 'Provider',
  address: 'Mailbox address',
  connect: 'Connect mailbox',
  connected: (provider: string, address: string) => `${address} is connected with ${provider}.`,
  done: 'Mailbox connected',
  finishing: 'Connecting the mailbox …',
  failed: 'The mailbox could not be connected',
  loadFailed: 'Failed to fetch email settings',
  disconnect: 'Disconnect',
  disconnectTitle: 'Disconnect mailbox',
  disconnectQuestion: (address: string) =>
    `Emails can no longer be sent from ${address}. What waits stays in the queue until a mailbox or a mail server is set up again.`,
  disconnectFailed: 'Failed to disconnect the mailbox',
  disconnected: 'Mailbox disconnected',
  byProvider: (provider: string) =>
    `Connected by its owner with ${provider}. Settings that you save here replace it.`,
} as const;
