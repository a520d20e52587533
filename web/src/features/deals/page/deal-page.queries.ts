import type { LiveEvent } from '@forecourt/contract/events';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { onLiveEvent, onLiveGap } from '../../../platform/live-events.ts';
import { freshQuery } from '../../../platform/read-query.ts';

const pageKey = (id: string) => ['deal-page', id] as const;

/** The row, also where the table does not show it. */
export const dealQuery = (id: string) =>
  freshQuery([...pageKey(id), 'deal'], 'GET /deals/:id', { params: { id } });

export const timelineQuery = (id: string) =>
  freshQuery([...pageKey(id), 'timeline'], 'GET /deals/:id/timeline', { params: { id } });

export const duplicatesKey = ['deal-duplicates'] as const;

export const duplicatesQuery = (id: string) =>
  freshQuery([...duplicatesKey, id], 'GET /deals/:id/duplicates', { params: { id } });

/**
 * Loads the page again when this row, a comment on it, a file of it or an email about it changes; an email is also announced as a
 * change of its rows. `useLiveRefresh` would load it after each change of any row.
 */
export function usePageRefresh(id: string): void {
  const client = useQueryClient();
  useEffect(() => {
    const queryKey = pageKey(id);
    // A first load is cancelled too: its response may be older than the change, and an invalidation alone waits for it.
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
