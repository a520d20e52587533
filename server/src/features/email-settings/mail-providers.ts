import type { MailProvider } from '@forecourt/contract/email-settings';
import type { Config } from '../../platform/config.ts';
import type { MailAccount } from '../../platform/mail/smtp-account.ts';

export type Provider = {
  name: string;
  authorizationUrl: string;
  tokenUrl: string;
  scope: string;
  /** Additional parameters that the provider requires to issue a refresh token. */
  extra: Record<string, string>;
  /** The mail server of the provider. A mailbox connected for another server has no permission for this one. */
  server: { host: string; port: number; secure: boolean };
  /** The address of Microsoft Graph if mail is sent by it instead of SMTP. */
  graph?: string;
  clientId: string;
  clientSecret: string;
};

/** Returns how to send mail of a mailbox with an access token. */
export const accountOf =
  ({ server, graph }: Provider, user: string) =>
  (accessToken: string): MailAccount =>
    graph === undefined ? { ...server, user, accessToken } : { graph, user, accessToken };

export type Providers = Partial<Record<MailProvider, Provider>>;

type Registrations = Pick<
  Config,
  | 'OAUTH_MICROSOFT_ID'
  | 'OAUTH_MICROSOFT_SECRET'
  | 'OAUTH_MICROSOFT_TENANT'
  | 'OAUTH_MICROSOFT_SEND'
  | 'OAUTH_GOOGLE_ID'
  | 'OAUTH_GOOGLE_SECRET'
>;

/** The scope User.Read shows which mailbox the account has. */
const MICROSOFT = {
  smtp: {
    scope: 'https://outlook.office.com/SMTP.Send offline_access',
    server: { host: 'smtp.office365.com', port: 587, secure: false },
  },
  graph: {
    scope: 'https://graph.microsoft.com/Mail.Send https://graph.microsoft.com/User.Read offline_access',
    server: { host: 'graph.microsoft.com', port: 443, secure: true },
    graph: 'https://graph.microsoft.com/v1.0',
  },
};

/** Returns the providers whose client id and secret are configured. */
export function registeredProviders(config: Registrations): Providers {
  const { OAUTH_MICROSOFT_ID, OAUTH_MICROSOFT_SECRET, OAUTH_GOOGLE_ID, OAUTH_GOOGLE_SECRET } = config;
  const microsoftUrl = `https://login.microsoftonline.com/${config.OAUTH_MICROSOFT_TENANT}/oauth2/v2.0`;
  return {
    ...(OAUTH_MICROSOFT_ID &&
      OAUTH_MICROSOFT_SECRET && {
        microsoft: {
          name: 'Microsoft 365',
          authorizationUrl: `${microsoftUrl}/authorize`,
          tokenUrl: `${microsoftUrl}/token`,
          extra: { prompt: 'select_account' },
          ...MICROSOFT[config.OAUTH_MICROSOFT_SEND],
          clientId: OAUTH_MICROSOFT_ID,
          clientSecret: OAUTH_MICROSOFT_SECRET,
        },
      }),
    ...(OAUTH_GOOGLE_ID &&
      OAUTH_GOOGLE_SECRET && {
        google: {
          name: 'Google',
          authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
          tokenUrl: 'https://oauth2.googleapis.com/token',
          scope: 'https://mail.google.com/',
          extra: { access_type: 'offline', prompt: 'consent' },
          server: { host: 'smtp.gmail.com', port: 465, secure: true },
          clientId: OAUTH_GOOGLE_ID,
          clientSecret: OAUTH_GOOGLE_SECRET,
        },
      }),
  };
}
