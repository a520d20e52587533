/** As much of a person as a list of people shows. */
export type ListedPerson = { readonly userId: string; readonly name: string; readonly email: string };

/** The people whose name or address holds what was typed. */
export function matchingPeople<P extends ListedPerson>(people: readonly P[], search: string): readonly P[] {
  const wanted = search.trim().toLowerCase();
  return people.filter(({ name, email }) =>
    [name, email].some((text) => text.toLowerCase().includes(wanted)),
  );
}
