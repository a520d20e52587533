import HardDrive from 'lucide-react/icons/hard-drive';
import { useEffect, useState, type ReactNode } from 'react';
import { unstoredDrafts } from '../../../platform/drafts.ts';
import { useStore } from '../../../platform/external-store.ts';
import { useFirstScreenReady } from '../../../platform/first-screen.ts';
import { formatSize } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deals.ts';
import styles from './DealsNotice.module.css';

/** Less free space than this is shown, in bytes. */
const LOW = 20 * 1024 * 1024;

const UPDATE_MS = 60_000;

/** Warns that the browser's storage for drafts is full or nearly full. */
export function DealsStorage(): ReactNode {
  const unstored = useStore(unstoredDrafts);
  const free = useFreeStorage();
  const isLow = free !== null && free < LOW;
  return (
    <div role="alert" className={unstored > 0 || isLow ? styles.notice : undefined}>
      {(unstored > 0 || isLow) && <HardDrive className="ui-fixed" />}
      {unstored > 0 ? texts.unstored(unstored) : isLow && texts.nearlyFull(formatSize(free))}
    </div>
  );
}

/** Returns the free storage of the browser for this origin, in bytes. Null if it is not available, as without HTTPS. */
function useFreeStorage(): number | null {
  const [free, setFree] = useState<number | null>(null);
  const isFirstScreenReady = useFirstScreenReady();
  useEffect(() => {
    if (!isFirstScreenReady) return undefined;
    const update = async (): Promise<void> => {
      const { quota, usage } = (await navigator.storage?.estimate()) ?? {};
      if (quota !== undefined && usage !== undefined) setFree(Math.max(0, quota - usage));
    };
    const updateSafely = (): void => void update().catch(() => undefined);
    updateSafely();
    const timer = setInterval(updateSafely, UPDATE_MS);
    return () => clearInterval(timer);
  }, [isFirstScreenReady]);
  return free;
}
