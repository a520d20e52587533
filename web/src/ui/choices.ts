type Choice<V extends string> = { value: V; label: string };

/** Returns the choices of a `Select` in the order of their labels. */
export const labelChoices = <V extends string>(labels: Readonly<Record<V, string>>): Choice<V>[] =>
  (Object.keys(labels) as V[]).map((value) => ({ value, label: labels[value] }));

/** Returns records as choices by name; none until they are loaded. */
export const namedChoices = (records: readonly { _id: string; name: string }[] = []): Choice<string>[] =>
  records.map(({ _id, name }) => ({ value: _id, label: name }));
