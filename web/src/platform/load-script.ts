import { createRetry, later } from './retry-later.ts';

/** Whether a script or its styles could not be loaded. Each browser has its own message, Vite one for styles. */
export const isMissingScript = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|importing a module script failed|unable to preload css/i.test(error.message);

/** Stylesheets that could not be loaded. Vite adds each of them to the page only once. */
const missingStyles = new Set<HTMLLinkElement>();
let isFollowed = false;

function followMissingStyles(): void {
  if (isFollowed || typeof document === 'undefined') return;
  isFollowed = true;
  const follow = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missingStyles.add(target);
  };
  document.addEventListener('error', follow, true);
}

async function reloadMissingStyles(): Promise<void> {
  const reloaded = [...missingStyles].map(async (link) => {
    missingStyles.delete(link);
    const copy = link.cloneNode() as HTMLLinkElement;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    copy.addEventListener('load', resolve);
    copy.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)));
    link.replaceWith(copy);
    await promise;
  });
  await Promise.all(reloaded);
}

/**
 * Loads a script with its styles. If it is unavailable, for example without a connection, requests it again until it is
 * loaded, so that a missing part never replaces the page.
 * @param load an `import()`
 * @param onMissing called after the first failure
 * @throws errors of the script itself
 */
export function loadScript<T>(load: () => Promise<T>, onMissing?: () => void): Promise<T> {
  followMissingStyles();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let hasFailed = false;
  const attempt = (): void => {
    const styles = hasFailed ? reloadMissingStyles() : null;
    Promise.all([load(), styles]).then(
      ([loaded]) => resolve(loaded),
      (error: unknown) => {
        if (!isMissingScript(error)) return reject(error);
        if (!hasFailed) onMissing?.();
        hasFailed = true;
        retry.afterFailure();
      },
    );
  };
  const retry = createRetry(later, attempt);
  attempt();
  return promise;
}
