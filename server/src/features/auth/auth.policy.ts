import { COMMON_PASSWORDS } from './common-passwords.ts';

/** Who fails this often within 15 minutes starts to wait, one second at first and twice as long each time. */
const FREE_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 15 * 60;
/** One office shares an address. */
const FAILURES_PER_ADDRESS = 300;

/** How many seconds an account must still wait before its next try (product.md section 7). */
export function waitForAccount(failures: number, secondsAgo: number): number {
  if (failures < FREE_ATTEMPTS) return 0;
  const wait = Math.min(2 ** Math.min(failures - FREE_ATTEMPTS, 20), MAX_WAIT_SECONDS);
  return Math.max(0, wait - secondsAgo);
}

/** How many seconds an address must still wait: nothing up to 300 failures in the window, then a minute. */
export const waitForAddress = (failures: number, secondsAgo: number): number =>
  failures < FAILURES_PER_ADDRESS ? 0 : Math.max(0, 60 - secondsAgo);

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
