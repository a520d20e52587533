import { ActionIcon, Popover, Tooltip } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import BellIcon from 'lucide-react/icons/bell';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { texts } from '../../texts/notifications.ts';
import { notificationsKey, notificationsQuery } from './notifications.queries.ts';
import styles from './Bell.module.css';

const NotificationList = lazy(() => import('./NotificationList.tsx'));

/** A timer of a browser goes no further, in milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** How many notifications are unread, and at a click which (product section 11). */
export function Bell(): ReactNode {
  const { data } = useQuery(notificationsQuery);
  useLiveRefresh('notification', notificationsKey);
  useWhenDue(data?.nextDueAt ?? null);
  const [opened, setOpened] = useState(false);
  const unread = data?.unread ?? 0;
  const label = texts.bell(unread);

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-start"
      width="min(360px, calc(100vw - 24px))"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <Tooltip label={texts.title} disabled={opened}>
          <ActionIcon
            className={styles.bell ?? ''}
            size={28}
            aria-label={label}
            onClick={() => setOpened(!opened)}
          >
            <BellIcon size={16} />
            {unread > 0 && (
              <span className={styles.count} aria-hidden="true">
                {unread > 9 ? '9+' : unread}
              </span>
            )}
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.title} className={styles.panel ?? ''}>
        <Suspense>
          <NotificationList onClose={() => setOpened(false)} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
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
