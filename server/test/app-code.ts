import { Secret, TOTP } from 'otpauth';

/** Returns the code of an authenticator app `steps` × 30 s from now. The server accepts each code once. */
export const codeOf = (secret: string, steps: number): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: Date.now() + steps * 30_000 });
