import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { texts } from '../../../texts/deal-comments.ts';
import { commentMarks, openComments, useDataEntry } from '../data-entry-context.ts';
import { isOverMonths } from '../deals.queries.ts';
import { useAddress } from '../views/use-deal-view.ts';
import { commentedRowsKey, commentedRowsQuery } from './deal-comments.queries.ts';

/** Reading on another page of the user notifies this one. */
const changes = ['deal-comments', 'notification'] as const;

/** Minimum time between two loads, in milliseconds: every open page loads them after each comment. */
const REST_MS = 1000;

/** Marks the rows that have comments, and opens those that a link names. Renders nothing. */
export default function CommentMarks(): null {
  const { deals, view } = useDataEntry();
  useLinkedComments();
  const { data } = useQuery(commentedRowsQuery(isOverMonths(view) ? undefined : view.month));
  useLiveRefresh(changes, commentedRowsKey, REST_MS);
  const { keyOf } = deals.table;
  useEffect(() => {
    if (!data) return;
    commentMarks.set(
      new Map(
        data.items.map(({ dealId, comments, unread }) => [
          keyOf(dealId),
          {
            label: texts.marked(comments, unread),
            className: unread > 0 ? 'unread' : 'read',
            count: unread > 0 ? unread : comments,
          },
        ]),
      ),
    );
  }, [data, keyOf]);
  useEffect(() => () => commentMarks.set(new Map()), []);
  return null;
}

/**
 * Opens the comments of the row that a link names (`commentsLink`) and removes the parameter from the address, after
 * the filters of the link were applied.
 */
function useLinkedComments(): void {
  const { search, replace } = useAddress();
  const { comments, ...rest } = search;
  const hasFilters =
    search['filter'] === '' || ['status', 'dealershipId', 'owner'].some((name) => search[name] !== undefined);
  const apply = useEffectEvent((dealId: string) => {
    openComments(dealId);
    replace(rest);
  });
  useEffect(() => {
    if (comments !== undefined && !hasFilters) apply(comments);
  }, [comments, hasFilters]);
}
