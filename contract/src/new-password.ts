import { MIN_PASSWORD_LENGTH } from './auth-limits.ts';
import { countCharacters } from './characters.ts';

/** As a password is hashed: texts that look alike are the same password for every rule. */
export const normalisedPassword = (text: string): string => text.normalize('NFKC');

/**
 * Returns the message for a new password that is too short; undefined: it is not. Without zod, because the pages on which
 * a signed-out user sets a password load no schema.
 */
export const shortPasswordError = (text: string): string | undefined =>
  countCharacters(normalisedPassword(text)) < MIN_PASSWORD_LENGTH
    ? `Must be at least ${MIN_PASSWORD_LENGTH} characters`
    : undefined;
