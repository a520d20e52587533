import { ActionIcon } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import BellIcon from 'lucide-react/icons/bell';
import { Suspense, useEffect, type ReactNode } from 'react';
import { lazyAfterFirstPaint, useFirstScreenReady } from '../../platform/first-screen.ts';
import { useLiveQuery } from '../../platform/live-events.ts';
import { texts } from '../../texts/notifications.ts';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { useOpener } from '../../ui/use-opener.ts';
import { notificationsKey, notificationsQuery } from './notifications.queries.ts';
import styles from './Bell.module.css';

const NotificationPanel = lazyAfterFirstPaint(() => import('./NotificationPanel.tsx'));

/** Maximum delay of a browser timer, in milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** The number of unread notifications. A click opens the list (docs/product/screens.md, Notifications). */
export function Bell(): ReactNode {
  const { data } = useLiveQuery({ ...notificationsQuery, enabled: useFirstScreenReady() }, 'notification');
  useWhenDue(data?.nextDueAt ?? null);
  const { button, part } = useOpener('dialog');
  const unread = data?.unread ?? 0;

  return (
    <>
      <Tooltip label={texts.title} disabled={part?.opened ?? false}>
        <ActionIcon
          className={styles.bell ?? ''}
          size={28}
          aria-label={unread === 0 ? texts.title : texts.bell(texts.unreadCount(unread))}
          {...button}
        >
          <BellIcon size={16} />
          {unread > 0 && (
            <span className={styles.count} aria-hidden="true">
              {texts.unreadCount(unread)}
            </span>
          )}
        </ActionIcon>
      </Tooltip>
      <Suspense>{part && <NotificationPanel part={part} />}</Suspense>
    </>
  );
}

/** Reloads when the next follow-up is due, because no live event is published then. */
function useWhenDue(at: string | null): void {
  const client = useQueryClient();
  useEffect(() => {
    if (at === null) return undefined;
    const wait = Math.min(Math.max(Date.parse(at) - Date.now(), 0) + 1000, LONGEST_WAIT_MS);
    const timer = setTimeout(() => void client.invalidateQueries({ queryKey: notificationsKey }), wait);
    return () => clearTimeout(timer);
  }, [at, client]);
}
