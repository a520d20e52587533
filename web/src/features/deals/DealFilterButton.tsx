import { Button, VisuallyHidden } from '@mantine/core';
import Funnel from 'lucide-react/icons/funnel';
import { Suspense, type ReactNode } from 'react';
import { comingLater } from '../../platform/coming-later.ts';
import { texts } from '../../texts/deal-views.ts';
import { useOpener } from '../../ui/use-opener.ts';
import { isFiltered } from './deal-filters.ts';
import type { DealFilterProps } from './DealFilterPanel.tsx';

const DealFilterPanel = comingLater(() => import('./DealFilterPanel.tsx'));

/** Which rows of the month are shown: of one status, one dealership, one owner. */
export function DealFilterButton(props: DealFilterProps): ReactNode {
  const { filters, options } = props;
  const { button, part } = useOpener('dialog');
  const dealership = options?.dealerships.find(({ _id }) => _id === filters.dealershipId)?.name ?? '';
  const owner = options?.owners.find(({ _id }) => _id === filters.owner)?.name ?? '';
  const chosen = [filters.status, dealership, owner].filter((name) => name !== '');
  const filtered = isFiltered(filters);
  return (
    <>
      <Button
        variant={filtered ? 'light' : 'default'}
        leftSection={<Funnel {...(filtered && { fill: 'currentColor' })} />}
        {...button}
      >
        {filtered ? texts.filters(chosen.length) : texts.filter}
        {filtered && <VisuallyHidden>{texts.filtered(chosen.join(', '))}</VisuallyHidden>}
      </Button>
      <Suspense>{part && <DealFilterPanel part={part} {...props} />}</Suspense>
    </>
  );
}
