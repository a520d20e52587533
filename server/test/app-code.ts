import { Secret, TOTP } from 'otpauth';

/** The code that an authenticator app shows so many steps of 30 s from now: each is taken once. */
export const codeOf = (secret: string, steps: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
