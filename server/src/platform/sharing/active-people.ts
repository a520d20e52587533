import type { Db, Tx } from '../db/database.ts';
import { invalidField } from '../http/errors.ts';
import { findInactive } from './shares.queries.ts';

const chooseActive = (name: string | undefined): string =>
  name === undefined ? 'Choose an active person' : `${name} is no longer active. Choose an active person`;

/**
 * Throws a 400 about the first field whose user is unknown or inactive.
 * @param chosen users by field of the request
 * @param message returns the message for a user of this name; undefined for an unknown user
 */
export async function requireActive(
  db: Db | Tx,
  chosen: Readonly<Record<string, string>>,
  message: (name: string | undefined) => string = chooseActive,
): Promise<void> {
  const inactive = await findInactive(db, Object.values(chosen));
  if (inactive) throw invalidField(Object.keys(chosen)[inactive.index]!, message(inactive.name));
}

/**
 * Returns the users of a list by field.
 * @param isChosen whether the request chooses this user; others may have become inactive
 */
export const fieldsOf = (
  userIds: readonly string[],
  nameOf: (index: number) => string,
  isChosen: (userId: string) => boolean = () => true,
): Record<string, string> =>
  Object.fromEntries(userIds.flatMap((id, index) => (isChosen(id) ? [[nameOf(index), id]] : [])));
