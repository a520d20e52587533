import { paths } from '../platform/paths.ts';

/** Base for parsing a path; never requested. */
const ORIGIN = 'http://in.app';

/**
 * Whether a path matches a pattern of the route table: `/email-templates/$id/edit`, or `/data-entry/{-$dealId}`, whose
 * last part is optional. Case and a final slash are ignored, as by the router.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const patternParts = pattern.split('/');
  const pathParts = path.toLowerCase().replace(/\/$/, '').split('/');
  return (
    pathParts.length <= patternParts.length &&
    patternParts.every((part, index) => {
      const isOptional = part.startsWith('{') && index === pathParts.length;
      return isOptional || (/^[{$]/.test(part) ? Boolean(pathParts[index]) : part === pathParts[index]);
    })
  );
}

/**
 * Returns the target after the sign-in from the `redirect` parameter. Only a path of this product is accepted;
 * otherwise the dashboard is returned (docs/product/security.md, Redirects stay inside the product).
 * @param patterns patterns of the permitted screens
 */
export function redirectTarget(requested: string | undefined, patterns: readonly string[]): string {
  // Browsers treat a backslash as a slash and drop control characters when parsing.
  // eslint-disable-next-line no-control-regex -- control characters are what is refused here
  if (requested === undefined || !/^\/(?![/\\])[^\\\u0000-\u001f\u007f]*$/.test(requested))
    return paths.dashboard;
  const url = URL.parse(requested, ORIGIN);
  if (url === null || url.origin !== ORIGIN || !patterns.some((path) => matchesPath(path, url.pathname))) {
    return paths.dashboard;
  }
  return url.pathname + url.search + url.hash;
}
