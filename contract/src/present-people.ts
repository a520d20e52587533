import type { LivePresence, PresentPerson } from './presence.ts';

/** All other users with this month open, ordered by id. */
export type PresentPeople = { readonly month: string; readonly people: readonly PresentPerson[] };

/** Returns the list of people updated by a message of the same stream. The first message of a month is complete. */
export function mergePresence(
  current: PresentPeople | null,
  { month, isComplete, people, left }: LivePresence,
): PresentPeople {
  const byId = new Map((isComplete ? [] : (current?.people ?? [])).map((person) => [person._id, person]));
  for (const person of people) byId.set(person._id, person);
  for (const id of left) byId.delete(id);
  return { month, people: [...byId.values()].sort((a, b) => (a._id < b._id ? -1 : 1)) };
}
