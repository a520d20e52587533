import { ActionIcon } from '@mantine/core';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { formatCount } from '../platform/formats.ts';

type PagerProps = {
  /** The first page is 1. */
  page: number;
  limit: number;
  total: number;
  /** Whether `total` belongs to another filter, until the new one is loaded. */
  isStale: boolean;
  onPage: (page: number) => void;
};

/**
 * The range of displayed rows, with buttons for the previous and next page. Hidden for a single page. If the page no
 * longer exists, moves to the last one.
 */
export function Pager({ page, limit, total, isStale, onPage }: PagerProps): ReactNode {
  const pages = Math.max(1, Math.ceil(total / limit));
  const showPage = useEffectEvent(onPage);
  useEffect(() => {
    if (page > pages && !isStale) showPage(pages);
  }, [page, pages, isStale]);
  if (pages === 1 && page === 1) return null;
  const first = Math.min((page - 1) * limit + 1, total);
  return (
    <nav className="ui-line ui-end ui-gap-1 ui-quiet ui-mt-3" aria-label="Pages">
      <span aria-live="polite">
        {formatCount(first)}–{formatCount(Math.min(page * limit, total))} of {formatCount(total)}
      </span>
      <ActionIcon aria-label="Previous page" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft />
      </ActionIcon>
      <ActionIcon aria-label="Next page" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <ChevronRight />
      </ActionIcon>
    </nav>
  );
}
