import { Button, NativeSelect, Popover, VisuallyHidden } from '@mantine/core';
import Funnel from 'lucide-react/icons/funnel';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/deal-views.ts';
import { texts as common } from '../../texts/deals.ts';
import { isFiltered, noFilters, type DealFilters } from './deal-filters.ts';
import { existsFor } from './deals.columns.tsx';
import type { DealOptions } from './deals.queries.ts';
import styles from './DealFilterButton.module.css';

type DealFilterButtonProps = {
  filters: DealFilters;
  options: DealOptions | undefined;
  onChange: (change: Partial<DealFilters>) => void;
};

/** Which rows of the month are shown: of one status, one dealership, one owner. */
export function DealFilterButton({ filters, options, onChange }: DealFilterButtonProps): ReactNode {
  const [opened, setOpened] = useState(false);
  const dealerships = options?.dealerships ?? [];
  const dealership = dealerships.find(({ _id }) => _id === filters.dealershipId)?.name ?? '';
  const owners = options?.owners ?? [];
  const owner = owners.find(({ _id }) => _id === filters.owner)?.name ?? '';
  const chosen = [filters.status, dealership, owner].filter((name) => name !== '');
  const filtered = isFiltered(filters);
  const has = (column: string): boolean => options !== undefined && existsFor(options, column);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={260} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={filtered ? 'light' : 'default'}
          leftSection={<Funnel {...(filtered && { fill: 'currentColor' })} />}
          onClick={() => setOpened(!opened)}
        >
          {filtered ? texts.filters(chosen.length) : texts.filter}
          {filtered && <VisuallyHidden>{texts.filtered(chosen.join(', '))}</VisuallyHidden>}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.filter} className={styles.fields ?? ''}>
        {has('status') && (
          <NativeSelect
            label={common.columns.status}
            value={filters.status}
            data={[
              { value: '', label: texts.anyStatus },
              ...(options?.statuses ?? []).map(({ name }) => ({ value: name, label: name })),
            ]}
            onChange={(event) => onChange({ status: event.currentTarget.value })}
          />
        )}
        {has('dealershipId') && (
          <NativeSelect
            label={common.columns.dealershipId}
            value={filters.dealershipId}
            data={[
              { value: '', label: texts.anyDealership },
              ...dealerships.map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
            onChange={(event) => onChange({ dealershipId: event.currentTarget.value })}
          />
        )}
        {has('owner') && (
          <NativeSelect
            label={common.columns.owner}
            value={filters.owner}
            data={[
              { value: '', label: texts.anyOwner },
              ...owners.map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
            onChange={(event) => onChange({ owner: event.currentTarget.value })}
          />
        )}
        <Button variant="subtle" disabled={!filtered} onClick={() => onChange(noFilters)}>
          {texts.clearFilters}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
