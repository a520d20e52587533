import { COMMON_PASSWORDS } from './common-passwords.ts';

/** Who fails this often within 15 minutes starts to wait, one second at first and twice as long each time. */
const FREE_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 15 * 60;
const DOUBLINGS = Math.ceil(Math.log2(MAX_WAIT_SECONDS));

/** How many seconds an account waits after none, one, two … failures, and after all further ones (product.md section 7). */
export const accountWaits: readonly number[] = [
  ...Array.from({ length: FREE_ATTEMPTS }, () => 0),
  ...Array.from({ length: DOUBLINGS + 1 }, (_, doubled) => Math.min(2 ** doubled, MAX_WAIT_SECONDS)),
];

/** An address, which a whole office shares, waits a minute after 300 failures in the window. */
export const addressWaits = { failures: 300, seconds: 60 } as const;

/** What is wrong with a new password, in words; undefined when nothing is. No composition rules. */
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
