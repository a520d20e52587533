import type { ListedDeal } from '@forecourt/contract/deal-list';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sampleDealsQuery } from './email-templates.queries.ts';

export type DealChoice = { value: string; label: string };

const choiceOf = ({ _id, customerName, dealershipName, dealNumber }: ListedDeal): DealChoice => ({
  value: _id,
  label: [customerName, dealershipName, dealNumber].filter(Boolean).join(' · '),
});

function useDealList(search: string) {
  const query = useInfiniteQuery(sampleDealsQuery(search));
  return { ...query, deals: query.data?.pages.flatMap(({ items }) => items.map(choiceOf)) };
}

/** The deals of the preview, newest first, from a search or by stepping through its result. */
export function useSampleDeals() {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 200);
  const [chosen, setChosen] = useState<{ deal: DealChoice; search: string } | null>(null);
  const offered = useDealList(search);
  const inOrder = useDealList(chosen?.search ?? '');

  const deals = inOrder.deals ?? [];
  const deal = chosen?.deal ?? deals[0] ?? null;
  const place = deals.findIndex(({ value }) => value === deal?.value);
  const neighbour = (by: 1 | -1): DealChoice | undefined => (place === -1 ? undefined : deals[place + by]);

  return {
    deal,
    offered: offered.deals ?? [],
    lists: [offered, inOrder],
    isEmpty: search === '' && offered.deals?.length === 0,
    search: setTyped,
    choose: (next: DealChoice) => setChosen({ deal: next, search }),
    hasNeighbour: (by: 1 | -1) => neighbour(by) !== undefined,
    /** Moves to the next or previous deal. Loads more deals before the end of the list. */
    step: (by: 1 | -1): void => {
      const next = neighbour(by);
      if (!next) return;
      setChosen({ deal: next, search: chosen?.search ?? '' });
      if (by === 1 && place + 3 >= deals.length && inOrder.hasNextPage) void inOrder.fetchNextPage();
    },
  };
}
