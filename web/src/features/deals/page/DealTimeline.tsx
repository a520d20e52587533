import type { TimelineEntry } from '@forecourt/contract/deal-timeline';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import MessageSquare from 'lucide-react/icons/message-square';
import { useEffect, useRef, type ReactNode } from 'react';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { formatDateTime } from '../../../platform/formats.ts';
import { texts } from '../../../texts/deal-page.ts';
import { texts as timeline } from '../../../texts/timeline.ts';
import { Card } from '../../../ui/Card.tsx';
import { EmailEntry } from '../../../ui/EmailEntry.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { actionKeys } from '../action-keys.ts';
import { Comments } from '../comments/CommentsPanel.tsx';
import { HistoryChange } from '../history/HistoryChange.tsx';
import { timelineQuery } from './deal-page.queries.ts';
import styles from './DealPage.module.css';

export type TimelineKind = keyof typeof timeline.kinds | 'comments';

const kinds = { ...timeline.kinds, comments: texts.comments };

type DealTimelineProps = {
  dealId: string;
  kind: TimelineKind;
  /** The id of the comment to show. */
  comment?: string | undefined;
  onKind: (kind: TimelineKind) => void;
};

/** The events of the row, newest first, or its comments with a form for a new one. */
export function DealTimeline({ dealId, kind, comment, onKind }: DealTimelineProps): ReactNode {
  const root = useRef<HTMLDivElement>(null);
  // Scrolled into view, because on a phone it is below the details.
  useEffect(() => {
    if (kind === 'comments') root.current?.scrollIntoView({ block: 'start' });
  }, [kind]);
  return (
    <div ref={root} className={styles.timeline}>
      <Card
        title={timeline.title}
        aside={
          <Segments size="xs" aria-label={timeline.show} labels={kinds} value={kind} onChange={onKind} />
        }
      >
        {kind === 'comments' ? (
          <div className={`ui-stack ui-gap-3 ${styles.comments}`}>
            <Comments key={comment} dealId={dealId} linkedId={comment} />
          </div>
        ) : (
          <div className="ui-stack">
            {kind === 'all' && (
              <Button
                variant="default"
                className={styles.comment ?? ''}
                leftSection={<MessageSquare />}
                aria-keyshortcuts={actionKeys.comments}
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
  const timeZone = useTimeZone();
  const query = useQuery(timelineQuery(dealId));
  const entries = query.data?.items.filter((entry) => isOf(kind, entry));
  return (
    <Loaded of={query} message={timeline.failed}>
      {entries?.length === 0 && (
        <EmptyState title={timeline.nothing[kind]}>{timeline.nothingNote}</EmptyState>
      )}
      <ol className="ui-lines">
        {entries?.map((entry) => (
          <li key={keyOf(entry)}>
            {entry.kind === 'change' ? (
              <HistoryChange dealId={dealId} entry={entry.change} />
            ) : entry.email ? (
              <EmailEntry email={entry.email} timeZone={timeZone} />
            ) : (
              <p>
                {texts.delivered}{' '}
                <time className="ui-muted" dateTime={entry.at}>
                  {formatDateTime(entry.at, timeZone)}
                </time>
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
  entry.kind === 'change' ? entry.change._id : (entry.email?._id ?? entry.at);
