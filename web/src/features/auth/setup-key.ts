/** The key of the set-up link: `/register#key=…`, which never reaches a server's log, or `?key=…`. */
export function setupKey({ hash, search }: Pick<Location, 'hash' | 'search'>): string {
  return new URLSearchParams(hash.slice(1)).get('key') ?? new URLSearchParams(search).get('key') ?? '';
}
