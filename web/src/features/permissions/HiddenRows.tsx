import { firstCharacters, MAX_SEARCH_LENGTH } from '@forecourt/contract/characters';
import type { ListedDeal } from '@forecourt/contract/deal-list';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import X from 'lucide-react/icons/x';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/permissions.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { foundRowsQuery, hiddenRowQuery } from './permissions.queries.ts';

/** Maximum number of named rows; to hide more, restrict a dealership or a status. */
const NAMED = 20;

const SEARCH_MS = 200;

const rowName = ({ customerName, dealNumber, dealershipName }: ListedDeal): string =>
  [customerName, dealNumber, dealershipName].filter(Boolean).join(' · ');

type HiddenRowsProps = { ids: readonly string[]; onChange: (ids: string[]) => void };

/** Single rows hidden from a user, found by a search over all months. */
export function HiddenRows({ ids, onChange }: HiddenRowsProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_MS);
  const { data, isFetching } = useQuery(foundRowsQuery(search));
  const named = useQueries({ queries: ids.slice(0, NAMED).map(hiddenRowQuery) });
  const found = (data?.items ?? [])
    .filter(({ _id }) => !ids.includes(_id))
    .map((deal) => ({ value: deal._id, label: rowName(deal) }));

  return (
    <div>
      <Select
        label={texts.hiddenRows}
        placeholder={texts.searchRow}
        searchable
        data={found}
        // The server has filtered already, also by fields that the label does not show.
        filter={({ options }) => options}
        nothingFoundMessage={search === '' || isFetching ? texts.typeToSearch : texts.noRowFound}
        value={null}
        searchValue={typed}
        onSearchChange={(text) => setTyped(firstCharacters(text, MAX_SEARCH_LENGTH))}
        onChange={(id) => {
          if (id === null) return;
          onChange([...ids, id]);
          setTyped('');
        }}
      />
      {ids.length > 0 && (
        <ul className="ui-lines ui-mt-2">
          {named.map(({ data: deal, isPending }, index) => {
            const id = ids[index] ?? '';
            const name = deal ? rowName(deal) : isPending ? '…' : texts.gone;
            return (
              <li key={id} className="ui-line ui-gap-0 ui-between">
                <span>{name}</span>
                <IconAction
                  label={texts.showRow(name)}
                  icon={X}
                  size={14}
                  onClick={() => onChange(ids.filter((other) => other !== id))}
                />
              </li>
            );
          })}
          {ids.length > NAMED && (
            <li className="ui-line ui-gap-0 ui-between">{texts.moreRows(ids.length - NAMED)}</li>
          )}
        </ul>
      )}
    </div>
  );
}
