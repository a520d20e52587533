import { ActionIcon } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import BellIcon from 'lucide-react/icons/bell';
import { Suspense, useEffect, type ReactNode } from 'react';
import { comingLater, useFirstScreenStands } from '../../platform/coming-later.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { texts } from '../../texts/notifications.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useOpener } from '../../ui/use-opener.ts';
import { notificationsKey, notificationsQuery } from './notifications.queries.ts';
import styles from './Bell.module.css';

const NotificationPanel = comingLater(() => import('./NotificationPanel.tsx'));

/** A timer of a browser goes no further, in milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** How many notifications are unread, and at a click which (product section 11). */
export function Bell(): ReactNode {
  const { data } = useQuery({ ...notificationsQuery, enabled: useFirstScreenStands() });
  useLiveRefresh('notification', notificationsKey);
  useWhenDue(data?.nextDueAt ?? null);
  const { button, part } = useOpener('dialog');
  const unread = data?.unread ?? 0;

  return (
    <>
      <Tooltip label={texts.title} disabled={part?.opened ?? false}>
        <ActionIcon className={styles.bell ?? ''} size={28} aria-label={texts.bell(unread)} {...button}>
          <BellIcon size={16} />
          {unread > 0 && (
            <span className={styles.count} aria-hidden="true">
              {unread > 9 ? '9+' : unread}
            </span>
          )}
        </ActionIcon>
      </Tooltip>
      <Suspense>{part && <NotificationPanel part={part} />}</Suspense>
    </>
  );
}

/** Asks again when the next follow-up is due: nobody writes anything then. */
function useWhenDue(at: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (at === null) return undefined;
    const wait = Math.min(Math.max(Date.parse(at) - Date.now(), 0) + 1000, LONGEST_WAIT_MS);
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: notificationsKey }), wait);
    return () => clearTimeout(timer);
  }, [at, client]);
}
