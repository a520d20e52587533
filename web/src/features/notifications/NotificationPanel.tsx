import { Button, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import BellIcon from 'lucide-react/icons/bell';
import type { ReactNode } from 'react';
import { formatDateTime } from '../../platform/formats.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/notifications.ts';
import { ButtonPopover } from '../../ui/ButtonPopover.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { LoadFailed } from '../../ui/LoadFailed.tsx';
import type { Opened } from '../../ui/use-opener.ts';
import { notificationLink, notificationWords } from './notification-words.ts';
import { notificationsQuery, useReadNotifications } from './notifications.queries.ts';
import styles from './NotificationPanel.module.css';

/** The panel below the bell. */
export default function NotificationPanel({ part }: { part: Opened }): ReactNode {
  return (
    <ButtonPopover
      part={part}
      position="bottom-start"
      width="min(360px, calc(100vw - 24px))"
      transitionProps={{ duration: 0 }}
      className={styles.panel}
    >
      <NotificationList onClose={() => part.onChange(false)} />
    </ButtonPopover>
  );
}

/** What concerns this person. Each leads to what it tells of, and has been read then. */
function NotificationList({ onClose }: { onClose: () => void }): ReactNode {
  const { data, error, refetch } = useQuery(notificationsQuery);
  const { mutate } = useReadNotifications();
  // Who looks with somebody else's eyes has not read it for them.
  const read = (ids?: string[]): void => {
    if (viewing === null) mutate(ids);
  };

  return (
    <>
      <header className={styles.head}>
        <h2 className={styles.title}>{texts.title}</h2>
        {(data?.unread ?? 0) > 0 && viewing === null && (
          <Button size="compact-xs" variant="subtle" onClick={() => read()}>
            {texts.readAll}
          </Button>
        )}
      </header>
      {error && <LoadFailed error={error} message={texts.loadFailed} retry={() => void refetch()} />}
      {data?.total === 0 && (
        <EmptyState icon={<BellIcon />} title={texts.empty}>
          {texts.emptyNote}
        </EmptyState>
      )}
      <ul className={styles.list}>
        {data?.items.map((one) => (
          <li key={`${one._id} ${one.at}`}>
            <Link
              className={styles.entry}
              data-unread={!one.isRead || undefined}
              {...notificationLink(one)}
              onClick={() => {
                onClose();
                if (!one.isRead) read([one._id]);
              }}
            >
              {!one.isRead && <VisuallyHidden>{texts.unread}: </VisuallyHidden>}
              <span className={styles.words}>{notificationWords(one)}</span>
              <span className={styles.when}>{formatDateTime(one.at)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
