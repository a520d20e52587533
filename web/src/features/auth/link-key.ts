/** Returns the key of a link: `/register#key=…`, which is never sent to a server, or `?key=…`. */
export function linkKey({ hash, search }: Pick<Location, 'hash' | 'search'>): string {
  return new URLSearchParams(hash.slice(1)).get('key') ?? new URLSearchParams(search).get('key') ?? '';
}
