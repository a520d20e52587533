import type { Notification } from '@forecourt/contract/notifications';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import BellIcon from 'lucide-react/icons/bell';
import type { ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { useTimeZone } from '../../platform/deal-options.ts';
import { downloadExport } from '../../platform/exports.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts as exportTexts } from '../../texts/exports.ts';
import { texts } from '../../texts/notifications.ts';
import { ButtonPopover } from '../../ui/ButtonPopover.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { toastFailed, toastWarning } from '../../ui/toasts.ts';
import type { Opened } from '../../ui/use-opener.ts';
import { notificationLink, notificationText } from './notification-text.ts';
import { notificationsQuery, useReadNotifications } from './notifications.queries.ts';
import styles from './NotificationPanel.module.css';

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

/** A click on a notification opens its record and marks it as read. */
function NotificationList({ onClose }: { onClose: () => void }): ReactNode {
  const query = useQuery(notificationsQuery);
  const { data } = query;
  const { mutate } = useReadNotifications();
  // Viewing as another user must not mark notifications as read.
  const read: typeof mutate = (which) => {
    if (viewing === null) mutate(which);
  };

  return (
    <>
      <div className={`ui-line ui-gap-0 ui-between ${styles.head}`}>
        <h2 className="ui-title">{texts.title}</h2>
        {data && data.unread > 0 && viewing === null && (
          <Button size="compact-xs" variant="subtle" onClick={() => read({ until: data.items[0]!.at })}>
            {texts.readAll}
          </Button>
        )}
      </div>
      <Loaded of={query} message={texts.loadFailed} />
      {data?.total === 0 && (
        <EmptyState icon={<BellIcon />} title={texts.empty}>
          {texts.emptyNote}
        </EmptyState>
      )}
      <ul className="ui-scroll">
        {data?.items.map((one) => (
          <li key={`${one._id} ${one.at}`}>
            <Entry
              of={one}
              onOpen={() => {
                onClose();
                if (!one.isRead) read({ ids: [one._id] });
              }}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** A notification: a link to its record, or a button that downloads an export. */
function Entry({ of: one, onOpen }: { of: Notification; onOpen: () => void }): ReactNode {
  const link = notificationLink(one);
  const timeZone = useTimeZone();
  const shared = {
    className: `ui-stack ui-gap-1 ${styles.entry}`,
    'data-unread': !one.isRead || undefined,
    children: (
      <>
        {!one.isRead && <span className="ui-hidden">{texts.unread}: </span>}
        <span className={`ui-anywhere ${styles.words}`}>{notificationText(one)}</span>
        <span className="ui-quiet">{formatDateTime(one.at, timeZone)}</span>
      </>
    ),
  };
  if (link !== null) return <Link {...shared} {...link} onClick={onOpen} />;
  const download = () =>
    downloadExport(one.recordId).catch((failure: unknown) => {
      const isDeleted = failure instanceof ApiError && failure.status === 404;
      if (isDeleted) toastWarning(texts.exportDeleted);
      else toastFailed(failure, exportTexts.downloadFailed);
    });
  return (
    <button
      {...shared}
      type="button"
      onClick={() => {
        onOpen();
        void download();
      }}
    />
  );
}
