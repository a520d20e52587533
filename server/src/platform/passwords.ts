import { normalisedPassword } from '@forecourt/contract/new-password';
import { hash, verify } from '@node-rs/argon2';

/** argon2id, 19 MiB, two passes: the minimum recommended by OWASP, 6.6 ms on the reference machine. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(normalisedPassword(password), COST);

/** Compared with if the user does not exist, so that both cases take equally long. */
const dummyHash = hashPassword('nobody has this password');

/** Whether a password matches. Without a hash, returns false after the same work. */
export async function isPasswordCorrect(stored: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(stored ?? (await dummyHash), normalisedPassword(password));
  return fits && stored !== undefined;
}
