import type { MailProvider } from '@forecourt/contract/email-settings';
import type { Config } from '../../platform/config.ts';

/** The endpoints of a provider for consent, tokens and mail. */
export type Provider = {
  name: string;
  authorizationUrl: string;
  tokenUrl: string;
  scope: string;
  /** Additional parameters required for a refresh token. */
  extra: Record<string, string>;
  smtp: { host: string; port: number; secure: boolean };
  clientId: string;
  clientSecret: string;
};

export type Providers = Partial<Record<MailProvider, Provider>>;

type Registrations = Pick<
  Config,
  'OAUTH_MICROSOFT_ID' | 'OAUTH_MICROSOFT_SECRET' | 'OAUTH_GOOGLE_ID' | 'OAUTH_GOOGLE_SECRET'
>;

/** Returns the providers that this installation is registered with: those whose id and secret are configured. */
export function registeredProviders(config: Registrations): Providers {
  const { OAUTH_MICROSOFT_ID, OAUTH_MICROSOFT_SECRET, OAUTH_GOOGLE_ID, OAUTH_GOOGLE_SECRET } = config;
  return {
    ...(OAUTH_MICROSOFT_ID &&
      OAUTH_MICROSOFT_SECRET && {
        microsoft: {
          name: 'Microsoft 365',
          authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
          tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
          scope: 'https://outlook.office.com/SMTP.Send offline_access',
          extra: { prompt: 'select_account' },
          smtp: { host: 'smtp.office365.com', port: 587, secure: false },
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
          smtp: { host: 'smtp.gmail.com', port: 465, secure: true },
          clientId: OAUTH_GOOGLE_ID,
          clientSecret: OAUTH_GOOGLE_SECRET,
        },
      }),
  };
}
