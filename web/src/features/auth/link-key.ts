import { useEffect, useState } from 'react';

/** Returns the key of a link: `/register#key=…`, which is never sent to a server, or `?key=…`. */
export function linkKey({ hash, search }: Pick<Location, 'hash' | 'search'>): string {
  return new URLSearchParams(hash.slice(1)).get('key') ?? new URLSearchParams(search).get('key') ?? '';
}

/**
 * Returns the key in the address, and removes it from there: it is a secret, which could be bookmarked or read by others.
 * @param path the address without the key
 */
export function useLinkKey(path: string): string {
  const [key] = useState(() => linkKey(window.location));
  useEffect(() => window.history.replaceState(window.history.state, '', path), [path]);
  return key;
}
