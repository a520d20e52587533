import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { paths } from '../../platform/paths.ts';
import { filtersFrom, type DealFilters } from './deal-filters.ts';

/**
 * A link from a figure says which rows it means (`rowsLink`): its filters become those of the screen, in place of what
 * a person had there last, and leave the address, where they would go on to hold.
 */
export function useAskedFilters(setFilters: (filters: DealFilters) => void): void {
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { status, dealershipId, owner, ...rest } = search;
  const take = useEffectEvent((filters: DealFilters) => {
    setFilters(filters);
    void navigate({ to: paths.dataEntry, search: rest as Record<string, string>, replace: true });
  });
  const isAsked = status !== undefined || dealershipId !== undefined || owner !== undefined;
  useEffect(() => {
    if (isAsked) take(filtersFrom({ status, dealershipId, owner }));
  }, [isAsked, status, dealershipId, owner]);
}
