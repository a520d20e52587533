import { paths } from './paths.ts';
/** An administrator views the product as another user, in one tab (docs/product/people-and-permissions.md, View as). */
export type Viewing = {
  /** Id of the impersonation, which every call sends. */
  readonly id: string;
  readonly userId: string;
  readonly name: string;
};

const VIEWING = 'view-as';
const NOTICE = 'view-as-notice';

function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function read(): Viewing | null {
  try {
    return JSON.parse(stored(VIEWING) ?? 'null') as Viewing | null;
  } catch {
    return null;
  }
}

/**
 * The user as whom this page is viewed; null for the signed-in user. Constant per page: the mode starts and ends with a
 * page load, so that no data, text or queued change of one user remains for the other.
 */
export const viewing: Viewing | null = read();

/** Reloads the product as another user. */
export function beginViewing(newViewing: Viewing, at: string): void {
  sessionStorage.setItem(VIEWING, JSON.stringify(newViewing));
  window.location.assign(at);
}

/**
 * Reloads the product as the signed-in user.
 * @param notice shown after the reload
 */
export function endViewing(at: string, notice: string | null = null): void {
  sessionStorage.removeItem(VIEWING);
  if (notice !== null) sessionStorage.setItem(NOTICE, notice);
  window.location.assign(at);
}

/** Returns and removes the notice of `endViewing`. */
export function takeViewingNotice(): string | null {
  const notice = stored(NOTICE);
  if (notice !== null) sessionStorage.removeItem(NOTICE);
  return notice;
}

/** Ends viewing and opens the permissions of that user. */
export function stopViewing(): void {
  if (viewing !== null) endViewing(paths.permissionsOf(viewing.userId));
}
