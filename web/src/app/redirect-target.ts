import { paths } from '../platform/paths.ts';

/** Nothing of the kind is ever fetched: it only makes a path something that can be parsed. */
const ORIGIN = 'http://in.app';

/** Whether an address matches a pattern of the route table: `/email-templates/$id/edit`. */
export function matchesPath(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith('$') ? given[index] !== '' : part === given[index]))
  );
}

/**
 * Where to go after signing in, from the `redirect` of the address. Only a known path of this product counts,
 * after parsing; everything else is the dashboard (security A9: a script URL here once cost accounts).
 * @param known the patterns of the screens that may be a target
 */
export function redirectTarget(asked: string | undefined, known: readonly string[]): string {
  // A backslash is a slash to browsers, and control characters vanish when they parse.
  // eslint-disable-next-line no-control-regex -- control characters are what is refused here
  if (asked === undefined || !/^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(asked)) return paths.dashboard;
  const url = URL.parse(asked, ORIGIN);
  if (url === null || url.origin !== ORIGIN || !known.some((path) => matchesPath(path, url.pathname))) {
    return paths.dashboard;
  }
  return url.pathname + url.search + url.hash;
}
