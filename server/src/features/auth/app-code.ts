import { Secret, TOTP } from 'otpauth';

/** How long a code is shown; RFC 6238 recommends it, and apps take nothing else for granted. */
const STEP_SECONDS = 30;

/** A new secret for an authenticator app, in base32: 160 bits, as RFC 4226 recommends. */
export const newAppSecret = (): string => new Secret({ size: 20 }).base32;

/** What the QR code holds. */
export const appUri = (secret: string, account: { issuer: string; email: string }): string =>
  new TOTP({ secret, issuer: account.issuer, label: account.email }).toString();

/**
 * The 30-second step whose code this is (RFC 6238: SHA-1, six digits), of now, the one before or the one after:
 * clocks differ. Undefined when it is none of them.
 * @param seconds since 1970, by the database's clock
 */
export function stepOfCode(secret: string, code: string, seconds: number): number | undefined {
  const delta = TOTP.validate({
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp: seconds * 1000,
    period: STEP_SECONDS,
    window: 1,
  });
  return delta === null ? undefined : Math.floor(seconds / STEP_SECONDS) + delta;
}
