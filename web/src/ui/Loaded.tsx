import { Button, Loader } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { canPass, failureText } from '../platform/api-error.ts';
import { formatDateTime } from '../platform/formats.ts';
import { later } from '../platform/retry-later.ts';
import { texts } from '../texts/loading.ts';
import { LoadFailed } from './LoadFailed.tsx';

/** A first load counts as slow after this time, in milliseconds. */
const SLOW_MS = 5000;

type Loading = Pick<
  UseQueryResult,
  'data' | 'error' | 'isLoading' | 'isFetching' | 'errorUpdateCount' | 'dataUpdatedAt' | 'refetch'
>;

type LoadedProps = {
  of: Loading | readonly Loading[];
  /** Shown if the server sent no message. */
  message?: string;
  /** Shown during the first load, for children that show no loading state. */
  loading?: ReactNode;
  /** Rendered with the data, which may still be undefined. */
  children?: ReactNode;
};

/**
 * Renders the data, a notice or a failure. Loaded data remain on the screen if a later load fails, so that a form never
 * loses its typed text. The query client retries a failed first load; the failure remains visible during the retries.
 */
export function Loaded({ of, message, loading, children }: LoadedProps): ReactNode {
  const queries = 'refetch' in of ? [of] : of;
  const [last, setLast] = useState<unknown>(null);
  const failed = queries.find(({ error, data }) => error !== null && data === undefined);
  if (failed && failed.error !== last) setLast(failed.error);
  const repeats = queries.some(({ isLoading, errorUpdateCount }) => isLoading && errorUpdateCount > 0);
  const failure = failed ? failed.error : repeats ? last : null;
  const reload = (): void =>
    queries
      .filter(({ data, error }) => error !== null || data === undefined)
      .forEach(({ refetch }) => void refetch());

  if (failure !== null) {
    return (
      <LoadFailed
        error={failure}
        message={message}
        isRetrying={queries.some(({ isFetching }) => isFetching)}
        retry={reload}
      />
    );
  }
  const isLoading = queries.some((query) => query.isLoading);
  const outdated = queries.find(({ error }) => error !== null);
  return (
    <>
      {isLoading && loading}
      {isLoading && <SlowNotice />}
      {outdated && (
        <OutdatedNotice
          error={outdated.error}
          note={texts.outdated(formatDateTime(new Date(outdated.dataUpdatedAt).toISOString()))}
          isRetrying={outdated.isFetching}
          reload={reload}
        />
      )}
      {children}
    </>
  );
}

type OutdatedNoticeProps = {
  error: unknown;
  note: string;
  isRetrying?: boolean;
  reload: () => void;
};

/** A notice that the displayed data could not be reloaded. */
export function OutdatedNotice({ error, note, isRetrying = false, reload }: OutdatedNoticeProps): ReactNode {
  return (
    <div className="ui-row ui-between ui-notice ui-mb-3" role="status">
      <span>
        {failureText(error).message} {note} {canPass(error) && texts.refreshesByItself}
      </span>
      <Button size="compact-sm" variant="default" loading={isRetrying} onClick={reload}>
        {texts.tryAgain}
      </Button>
    </div>
  );
}

export function SlowNotice(): ReactNode {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => later(() => setSlow(true), SLOW_MS), []);
  return <output className="ui-muted">{isSlow && texts.slow}</output>;
}

/** A placeholder of a card or table. */
export const LoadingCard = (): ReactNode => (
  <output className="ui-line ui-middle ui-card ui-pad ui-muted">
    <Loader size={16} /> {texts.loading}
  </output>
);
