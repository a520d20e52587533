/** An administrator looks at the product as somebody else, in this tab (product section 7). */
export type Viewing = {
  /** The id of the viewing, which every call carries. */
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
 * Whom this page shows the product as; null: the signed-in person. It never changes while the page lives: the
 * mode begins and ends by loading the page anew, so that nothing that was loaded, typed or queued for one person
 * is there for the other.
 */
export const viewing: Viewing | null = read();

/** Loads the product anew as somebody else sees it. */
export function beginViewing(given: Viewing, at: string): void {
  sessionStorage.setItem(VIEWING, JSON.stringify(given));
  window.location.assign(at);
}

/**
 * Loads the product anew as oneself.
 * @param notice what to say there
 */
export function endViewing(at: string, notice: string | null = null): void {
  sessionStorage.removeItem(VIEWING);
  if (notice !== null) sessionStorage.setItem(NOTICE, notice);
  window.location.assign(at);
}

/** What the page that ended a viewing wanted said, once. */
export function takeViewingNotice(): string | null {
  const notice = stored(NOTICE);
  if (notice !== null) sessionStorage.removeItem(NOTICE);
  return notice;
}
