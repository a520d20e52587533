/** Returns a function that creates a value on its first call and caches it. */
export function createLazyValue<T>(create: () => T): () => T {
  let cached: { value: T } | undefined;
  return () => (cached ??= { value: create() }).value;
}
