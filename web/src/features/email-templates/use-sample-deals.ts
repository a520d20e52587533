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

/**
 * The deals that a template can be tried on, newest first: found by a search, and one after the other in the list
 * in which the one that is looked at was found. The newest is looked at first.
 */
export function useSampleDeals() {
  const [typed, setTyped] = useState('');
  const [wanted] = useDebouncedValue(typed.trim(), 200);
  const [chosen, setChosen] = useState<{ deal: DealChoice; search: string } | null>(null);
  const offered = useDealList(wanted);
  const inOrder = useDealList(chosen?.search ?? '');

  const deals = inOrder.deals ?? [];
  const deal = chosen?.deal ?? deals[0] ?? null;
  const place = deals.findIndex(({ value }) => value === deal?.value);
  const neighbour = (by: 1 | -1): DealChoice | undefined => (place === -1 ? undefined : deals[place + by]);

  return {
    deal,
    offered: offered.deals ?? [],
    error: offered.error ?? inOrder.error,
    isEmpty: wanted === '' && offered.deals?.length === 0,
    refetch: () => void Promise.all([offered.refetch(), inOrder.refetch()]),
    search: setTyped,
    choose: (next: DealChoice) => setChosen({ deal: next, search: wanted }),
    hasNeighbour: (by: 1 | -1) => neighbour(by) !== undefined,
    /** To the next deal or back. The list goes on before its end is reached. */
    step: (by: 1 | -1): void => {
      const next = neighbour(by);
      if (!next) return;
      setChosen({ deal: next, search: chosen?.search ?? '' });
      if (by === 1 && place + 3 >= deals.length && inOrder.hasNextPage) void inOrder.fetchNextPage();
    },
  };
}
