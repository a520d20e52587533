import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { onLiveGap } from '../platform/live-events.ts';
import { texts } from '../texts/newer-release.ts';

const TIMEOUT_MS = 15_000;

/** Returns whether the server has another build of the page than this one, by the name of its first script. */
async function isReplaced(): Promise<boolean> {
  const script = document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
  const response = await fetch('/', { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const page = await response.text();
  // A proxy may respond with a page of its own.
  return response.ok && page.includes('id="root"') && !page.includes(script);
}

function offerReload(): void {
  notifications.show({
    id: 'newer-release',
    title: texts.title,
    message: (
      <span className="ui-line ui-gap-3 ui-between">
        {texts.text}
        <Button variant="default" flex="none" onClick={() => window.location.reload()}>
          {texts.reload}
        </Button>
      </span>
    ),
    color: 'accent',
    autoClose: false,
    closeButtonProps: { 'aria-label': 'Close' },
  });
}

/**
 * Offers a reload when the live connection returns and the server has a newer release by then, which may lack the parts
 * that this page has not loaded yet. Returns a function that stops.
 */
export const watchReleases = (): (() => void) =>
  onLiveGap(
    () =>
      void isReplaced().then(
        (is) => is && offerReload(),
        () => undefined,
      ),
  );
