/** The key of a link such as `/register#key=…`, where it never reaches a server’s log, or `?key=…`. */
export function linkKey({ hash, search }: Pick<Location, 'hash' | 'search'>): string {
  return new URLSearchParams(hash.slice(1)).get('key') ?? new URLSearchParams(search).get('key') ?? '';
}
