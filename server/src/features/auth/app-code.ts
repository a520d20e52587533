import { Secret, TOTP } from 'otpauth';

/** How long a code is valid, as RFC 6238 recommends. Not all apps support other values. */
const STEP_SECONDS = 30;

/** Returns a new secret for an authenticator app, in base32: 160 bits, as RFC 4226 recommends. */
export const createAppSecret = (): string => new Secret({ size: 20 }).base32;

/** Returns the contents of the QR code. */
export const appUri = (secret: string, account: { issuer: string; email: string }): string =>
  new TOTP({ secret, issuer: account.issuer, label: account.email }).toString();

/**
 * Returns the 30-second step of a code (RFC 6238: SHA-1, six digits). The previous and the next step are accepted too,
 * because clocks differ. Undefined if the code matches none of them.
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
