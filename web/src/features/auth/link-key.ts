import { useEffect, useState } from 'react';

/** Returns the key of a link: `/register#key=…`, which browsers do not send to servers, or `?key=…`. */
export function linkKey({ hash, search }: Pick<Location, 'hash' | 'search'>): string {
  return new URLSearchParams(hash.slice(1)).get('key') ?? new URLSearchParams(search).get('key') ?? '';
}

/**
 * Returns the key in the URL and removes it there, because the secret could be bookmarked or read by others.
 * @param path the URL path without the key
 */
export function useLinkKey(path: string): string {
  const [key] = useState(() => linkKey(window.location));
  useEffect(() => window.history.replaceState(window.history.state, '', path), [path]);
  return key;
}
