import { Button, NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-views.ts';
import { texts as common } from '../../../texts/deals.ts';
import { ButtonPopover } from '../../../ui/ButtonPopover.tsx';
import type { Opened } from '../../../ui/use-opener.ts';
import { existsFor, type DealOptions } from '../deal-fields.ts';
import { isFiltered, noFilters, type DealFilters } from '../views/filters.ts';

export type DealFilterProps = {
  filters: DealFilters;
  options: DealOptions | undefined;
  onChange: (change: Partial<DealFilters>) => void;
};

/** The panel below the button of the filters. */
export default function DealFilterPanel({
  part,
  filters,
  options,
  onChange,
}: DealFilterProps & { part: Opened }): ReactNode {
  const has = (column: string): boolean => options !== undefined && existsFor(options, column);
  return (
    <ButtonPopover part={part} position="bottom-start" width={260} className="ui-stack ui-gap-3">
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
            ...(options?.dealerships ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
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
            ...(options?.owners ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
          onChange={(event) => onChange({ owner: event.currentTarget.value })}
        />
      )}
      <Button variant="subtle" disabled={!isFiltered(filters)} onClick={() => onChange(noFilters)}>
        {texts.clearFilters}
      </Button>
    </ButtonPopover>
  );
}
