import { COMMON_PASSWORDS } from './common-passwords.ts';

/** An account is throttled after this many failures in 15 minutes: one second, then twice as long each time. */
const FREE_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 15 * 60;
const DOUBLINGS = Math.ceil(Math.log2(MAX_WAIT_SECONDS));

/** Seconds to wait after none, one, … failures; the last repeats (docs/product/people-and-permissions.md, Sign-in). */
export const accountWaits: readonly number[] = [
  ...Array.from({ length: FREE_ATTEMPTS }, () => 0),
  ...Array.from({ length: DOUBLINGS + 1 }, (_, doubled) => Math.min(2 ** doubled, MAX_WAIT_SECONDS)),
];

/** An IP address, which a whole office shares, is throttled for a minute after 300 failures in the window. */
export const addressWaits = { failures: 300, seconds: 60 } as const;

/** Returns an error message for an unacceptable new password, else undefined. There are no composition rules. */
export function passwordProblem(
  password: string,
  person: { name: string; email: string },
): string | undefined {
  const plain = password.toLowerCase().trim();
  if ([person.name, person.email, person.email.split('@')[0]].some((own) => own?.toLowerCase() === plain)) {
    return 'Must not be your name or e-mail address';
  }
  if (COMMON_PASSWORDS.has(plain) || /^(.)\1+$/.test(plain)) return 'This password is too common';
  return undefined;
}
