import type { EmailSettings, EmailSettingsInput, VerifyStep } from '@forecourt/contract/email-settings';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/email-settings.ts';
import { statesOf, type StepState } from '../../ui/test-steps.ts';

/** What the form holds. An empty port is the empty text; the password is never that of the record. */
export type SettingsValues = {
  smtpHost: string;
  smtpPort: number | string;
  smtpSecure: boolean;
  smtpUser: string;
  smtpPassword: string;
  smtpFromEmail: string;
};

/** A person's settings in the form; port 587 where there are none (spec section 3). */
export const valuesOf = (settings: EmailSettings): SettingsValues => ({
  smtpHost: settings.smtpHost,
  smtpPort: settings.smtpPort,
  smtpSecure: settings.smtpSecure,
  smtpUser: settings.smtpUser,
  smtpPassword: '',
  smtpFromEmail: settings.smtpFromEmail,
});

export const inputOf = (values: SettingsValues): EmailSettingsInput => ({
  ...values,
  smtpHost: values.smtpHost.trim(),
  smtpPort: Number(values.smtpPort),
  smtpUser: values.smtpUser.trim(),
});

/** Whether everything is filled, which Save and Test wait for (spec section 5). */
export const isComplete = ({
  smtpHost,
  smtpPort,
  smtpUser,
  smtpPassword,
  smtpFromEmail,
}: SettingsValues): boolean =>
  [smtpHost, String(smtpPort), smtpUser, smtpFromEmail].every((text) => text.trim() !== '') &&
  smtpPassword !== '';

/** What is filled wrongly (spec section 5). */
export function settingsErrors({ smtpPort, smtpFromEmail }: SettingsValues): Record<string, string> {
  const port = Number(smtpPort);
  return {
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 ? {} : { smtpPort: texts.portRange }),
    ...(/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(smtpFromEmail.trim()) ? {} : { smtpFromEmail: texts.fromInvalid }),
  };
}

/** What failed, for when the server did not say anything itself (spec section 8). */
export const failureText = (thrown: unknown, usual: string): string =>
  (thrown instanceof ApiError ? texts.refusals[thrown.status] : undefined) ?? usual;

const steps: readonly VerifyStep[] = ['name', 'connection', 'tls', 'signIn', 'sender'];

/**
 * What became of each step of a connection test. Encryption is named only where it failed: a server in the own
 * office may do without it, and then it did not pass either.
 * @param failedAt the step that failed; null: all of them passed
 */
export const stepStates = (failedAt: string | null): { step: VerifyStep; state: StepState }[] =>
  statesOf(
    steps.filter((step) => step !== 'tls' || failedAt === 'tls'),
    failedAt,
  );
