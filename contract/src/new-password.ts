import { MIN_PASSWORD_LENGTH } from './auth-limits.ts';
import { countCharacters } from './characters.ts';

/** Returns the form in which a password is hashed. Equivalent Unicode texts are the same password. */
export const normalisedPassword = (text: string): string => text.normalize('NFKC');

/** Returns an error message for a password that is too short. Pages for signed-out users load no schema. */
export const shortPasswordError = (text: string): string | undefined =>
  countCharacters(normalisedPassword(text)) < MIN_PASSWORD_LENGTH
    ? `Must be at least ${MIN_PASSWORD_LENGTH} characters`
    : undefined;
