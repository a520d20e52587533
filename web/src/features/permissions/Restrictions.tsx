import { firstCharacters, MAX_SEARCH_LENGTH } from '@forecourt/contract/characters';
import type { CustomField } from '@forecourt/contract/custom-fields';
import { dealColumns } from '@forecourt/contract/deal-fields';
import type { ListedDeal } from '@forecourt/contract/deal-list';
import { Checkbox, MultiSelect, Switch, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueries, useQuery } from '@tanstack/react-query';
import X from 'lucide-react/icons/x';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/permissions.ts';
import { IconAction } from '../../ui/ActionButton.tsx';
import { namedChoices } from '../../ui/choices.ts';
import { DayField } from '../../ui/DayField.tsx';
import { foundRowsQuery, hiddenRowQuery } from './permissions.queries.ts';
import type { RecordFormState, RecordValues } from './record-values.ts';
import styles from './PermissionsScreen.module.css';

type Named = { readonly _id: string; readonly name: string };

type RestrictionsProps = {
  form: RecordFormState;
  dealerships: readonly Named[];
  statuses: readonly Named[];
  customFields: readonly CustomField[];
};

/** The parts of Data Entry hidden from a user (docs/product/people-and-permissions.md, Restrictions). */
export function Restrictions({ form, dealerships, statuses, customFields }: RestrictionsProps): ReactNode {
  const { values } = form;
  // Keys of other fields stay in the record: they apply again if the field is reinstated or shown to everybody.
  const offered = customFields.filter(({ active, visibleTo }) => active && visibleTo === 'everybody');
  return (
    <div className="ui-stack">
      <Switch label={texts.ownRows} description={texts.ownRowsNote} {...form.check('restrictedToOwn')} />
      <Switch label={texts.allColumns} description={texts.allColumnsNote} {...form.check('viewAllColumns')} />
      {!values.viewAllColumns && (
        <Checkbox.Group
          label={texts.visibleColumns}
          value={[...values.visibleColumns]}
          error={form.errors['visibleColumns']}
          onChange={(columns) => form.set('visibleColumns', columns as RecordValues['visibleColumns'])}
        >
          <div className={styles.checks}>
            {dealColumns.map((column) => (
              <Checkbox key={column} value={column} label={texts.columns[column]} />
            ))}
            {offered.map(({ key, name }) => (
              <Checkbox key={key} value={key} label={name} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      <div className={styles.flags}>
        <MultiSelect
          label={texts.hiddenDealerships}
          description={texts.hiddenDealershipsHint}
          placeholder={values.restrictedDealerships.length === 0 ? texts.allMayBeSeen : undefined}
          searchable
          data={choices(dealerships, values.restrictedDealerships)}
          value={[...values.restrictedDealerships]}
          onChange={(ids) => form.set('restrictedDealerships', ids)}
        />
        <MultiSelect
          label={texts.hiddenStatuses}
          description={texts.hiddenStatusesHint}
          placeholder={values.restrictedStatuses.length === 0 ? texts.allMayBeSeen : undefined}
          searchable
          data={choices(statuses, values.restrictedStatuses)}
          value={[...values.restrictedStatuses]}
          onChange={(ids) => form.set('restrictedStatuses', ids)}
        />
        <DayField label={texts.firstDay} {...form.value('dateRangeStart')} />
        <DayField label={texts.lastDay} {...form.value('dateRangeEnd')} />
      </div>
      <HiddenRows ids={values.restrictedRows} onChange={(ids) => form.set('restrictedRows', ids)} />
    </div>
  );
}

/** Returns the options, and chosen ones that no longer exist. */
const choices = (options: readonly Named[], chosen: readonly string[]) => [
  ...namedChoices(options),
  ...chosen
    .filter((id) => !options.some(({ _id }) => _id === id))
    .map((id) => ({ value: id, label: texts.gone })),
];

/** Maximum number of hidden rows; to hide more, an administrator restricts a dealership or a status. */
const NAMED = 20;

const SEARCH_MS = 200;

const rowName = ({ customerName, dealNumber, dealershipName }: ListedDeal): string =>
  [customerName, dealNumber, dealershipName].filter(Boolean).join(' · ');

/** The name of a hidden row. If loading it failed with another status than 404, it may still exist. */
export function hiddenRowName(deal: ListedDeal | undefined, error: unknown): string {
  if (deal) return rowName(deal);
  return error instanceof ApiError && error.status === 404 ? texts.gone : '…';
}

type HiddenRowsProps = { ids: readonly string[]; onChange: (ids: string[]) => void };

/** Single rows hidden from a user, chosen by a search over all months. */
function HiddenRows({ ids, onChange }: HiddenRowsProps): ReactNode {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_MS);
  const { data, isFetching } = useQuery(foundRowsQuery(search));
  const named = useQueries({ queries: ids.slice(0, NAMED).map(hiddenRowQuery) });
  const matches = (data?.items ?? [])
    .filter(({ _id }) => !ids.includes(_id))
    .map((deal) => ({ value: deal._id, label: rowName(deal) }));

  return (
    <div>
      <Select
        label={texts.hiddenRows}
        placeholder={texts.searchRow}
        searchable
        data={matches}
        // The list is not filtered again: the server also searches fields that the label does not show.
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
          {named.map(({ data: deal, error }, index) => {
            const id = ids[index] ?? '';
            const name = hiddenRowName(deal, error);
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
