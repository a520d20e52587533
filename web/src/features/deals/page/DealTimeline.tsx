import type { TimelineEntry } from '@forecourt/contract/deal-timeline';
import type { EmailLogEntry } from '@forecourt/contract/email-sending';
import { Anchor, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import MessageSquare from 'lucide-react/icons/message-square';
import { useEffect, useRef, type ReactNode } from 'react';
import { formatDateTime } from '../../../platform/formats.ts';
import { paths } from '../../../platform/paths.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { linkTo } from '../../../platform/rows-link.ts';
import { texts } from '../../../texts/deal-page.ts';
import { texts as mailTexts } from '../../../texts/email-history.ts';
import { Card } from '../../../ui/Card.tsx';
import { EmailStatusBadge, emailStateText } from '../../../ui/EmailState.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Comments } from '../comments/CommentsPanel.tsx';
import { useTimeZone } from '../deals.queries.ts';
import { HistoryChange } from '../history/RowHistory.tsx';
import { timelineQuery } from './deal-page.queries.ts';
import styles from './DealPage.module.css';

export type TimelineKind = keyof typeof texts.kinds;

const kinds = Object.entries(texts.kinds).map(([value, label]) => ({ value: value as TimelineKind, label }));

type DealTimelineProps = {
  dealId: string;
  kind: TimelineKind;
  onKind: (kind: TimelineKind) => void;
};

/** What happened to the row, newest first, or its comments with the form of a new one. */
export function DealTimeline({ dealId, kind, onKind }: DealTimelineProps): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  // On a phone it is below the details.
  useEffect(() => {
    if (kind === 'comments') root.current?.scrollIntoView({ block: 'nearest' });
  }, [kind]);
  return (
    <div ref={root}>
      <Card
        title={texts.timeline}
        aside={<Segments size="xs" aria-label={texts.show} data={kinds} value={kind} onChange={onKind} />}
      >
        {kind === 'comments' ? (
          <div className={styles.comments}>
            <Comments dealId={dealId} />
          </div>
        ) : (
          <div className="ui-stack">
            {kind === 'all' && (
              <Button
                variant="default"
                className={styles.comment ?? ''}
                leftSection={<MessageSquare />}
                aria-keyshortcuts="Alt+C"
                onClick={() => onKind('comments')}
              >
                {texts.comment}
              </Button>
            )}
            <Entries dealId={dealId} kind={kind} />
          </div>
        )}
      </Card>
    </div>
  );
}

type EntriesProps = { dealId: string; kind: Exclude<TimelineKind, 'comments'> };

function Entries({ dealId, kind }: EntriesProps): ReactNode {
  const query = useQuery(timelineQuery(dealId));
  const entries = query.data?.items.filter((entry) => isOf(kind, entry));
  return (
    <Loaded of={query} message={texts.timelineFailed}>
      {entries?.length === 0 && <EmptyState title={texts.nothing[kind]}>{texts.nothingNote}</EmptyState>}
      <ol className="ui-lines">
        {entries?.map((entry) => (
          <li key={keyOf(entry)}>
            {entry.kind === 'change' ? (
              <HistoryChange entry={entry.change} />
            ) : entry.email ? (
              <Email dealId={dealId} email={entry.email} />
            ) : (
              <p>
                {texts.delivered} <Time at={entry.at} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </Loaded>
  );
}

function isOf(kind: EntriesProps['kind'], entry: TimelineEntry): boolean {
  if (kind === 'emails') return entry.kind === 'email';
  return kind === 'all' || (entry.kind === 'change' && !entry.change.action.startsWith('comment'));
}

const keyOf = (entry: TimelineEntry): string =>
  entry.kind === 'change' ? `${entry.at} ${entry.change.action}` : (entry.email?._id ?? entry.at);

function Time({ at }: { at: string }): ReactNode {
  const timeZone = useTimeZone();
  return (
    <time className="ui-muted" dateTime={at}>
      {formatDateTime(at, timeZone)}
    </time>
  );
}

/** A message with its state, as Email History shows it. */
function Email({ dealId, email }: { dealId: string; email: EmailLogEntry }): ReactNode {
  const timeZone = useTimeZone();
  const permissions = usePermissions();
  const state = emailStateText(email, timeZone);
  return (
    <div className="ui-stack ui-gap-1">
      <p>
        <strong>{email.senderName}</strong> {texts.emailed(email.subject || mailTexts.noSubject)}{' '}
        <Time at={email.createdAt} />
      </p>
      <p className="ui-row">
        <EmailStatusBadge status={email.status} />
        {email.sentAt !== null && <Time at={email.sentAt} />}
        <span className="ui-muted">{email.templateName}</span>
      </p>
      <p className="ui-quiet ui-anywhere">{texts.recipients(email.to, email.cc)}</p>
      {state !== '' && <p className="ui-quiet ui-anywhere">{state}</p>}
      {permissions.page('emailTemplates') && (
        <Anchor
          renderRoot={(props) => <Link {...props} {...linkTo(paths.emailHistory, { dealId })} />}
          size="sm"
        >
          {texts.openHistory}
        </Anchor>
      )}
    </div>
  );
}
