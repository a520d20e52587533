import type { ExistingDeal } from '@forecourt/contract/deal-import';
import type { LiveEvent } from '@forecourt/contract/events';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onLiveEvent, onLiveGap } from '../../../platform/live-events.ts';
import { freshQuery } from '../../../platform/read-query.ts';

const pageKey = (id: string) => ['deal-page', id] as const;

/** The row, even if the table does not have it. */
export const dealQuery = (id: string) =>
  freshQuery([...pageKey(id), 'deal'], 'GET /deals/:id', { params: { id } });

export const timelineQuery = (id: string) =>
  freshQuery([...pageKey(id), 'timeline'], 'GET /deals/:id/timeline', { params: { id } });

export const duplicatesKey = ['deal-duplicates'] as const;

/** Returns the possible duplicates of a row; none until they are loaded. */
export const useDuplicates = (id: string): readonly ExistingDeal[] =>
  useQuery(freshQuery([...duplicatesKey, id], 'GET /deals/:id/duplicates', { params: { id } })).data?.items ??
  [];

/**
 * Reloads the page when this row, a comment, a file or an email of it changes; an email is also announced as a change
 * of its rows. `useLiveRefresh` would reload after a change of any row.
 */
export function usePageRefresh(id: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = pageKey(id);
    // Also cancels a first load, whose response may be older than the change; an invalidation would only wait for it.
    const refresh = async (): Promise<void> => {
      await client.cancelQueries({ queryKey });
      await client.invalidateQueries({ queryKey });
    };
    const follow = ({ recordId }: LiveEvent): void => {
      if (recordId === id) void refresh();
    };
    const stops = [
      onLiveEvent('deal', follow),
      onLiveEvent('deal-comments', follow),
      onLiveEvent('deal-attachments', follow),
      onLiveGap(() => void refresh()),
    ];
    return () => stops.forEach((stop) => stop());
  }, [client, id]);
}
