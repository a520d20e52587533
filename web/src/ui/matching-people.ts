export type ListedPerson = { readonly userId: string; readonly name: string; readonly email: string };

export function matchingPeople<P extends ListedPerson>(people: readonly P[], search: string): readonly P[] {
  const searchText = search.trim().toLowerCase();
  return people.filter(({ name, email }) =>
    [name, email].some((text) => text.toLowerCase().includes(searchText)),
  );
}
