import type { DoNotContact } from '@forecourt/contract/do-not-contact';
import { searchDigits } from '@forecourt/contract/phone';
import { Button } from '@mantine/core';
import Ban from 'lucide-react/icons/ban';
import Plus from 'lucide-react/icons/plus';
import { useState, type ReactNode } from 'react';
import { useLiveQuery } from '../../platform/live-events.ts';
import { texts } from '../../texts/do-not-contact.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { FilterBar, SearchFilter } from '../../ui/FilterBar.tsx';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { RowAction } from '../../ui/RowAction.tsx';
import { timeColumn, valueColumn } from '../../ui/table/columns.tsx';
import { doNotContactQuery, useRemoveContact } from './do-not-contact.queries.ts';
import DoNotContactForm from './DoNotContactForm.tsx';

const columns: readonly DataColumn<DoNotContact>[] = [
  valueColumn({
    id: 'value',
    header: texts.value,
    width: '300px',
    wideOnly: false,
    of: ({ value }) => value,
    render: ({ value, reason }) => (
      <div className="ui-stack ui-gap-0">
        <span className="ui-strong ui-anywhere">{value}</span>
        <span className="ui-sub ui-phone-only">{reason}</span>
      </div>
    ),
  }),
  valueColumn({ id: 'reason', header: texts.reason, of: ({ reason }) => reason }),
  valueColumn({
    id: 'addedBy',
    header: texts.addedBy,
    width: '160px',
    of: ({ addedByName }) => addedByName,
    filter: 'choice',
    wideOnly: 'desktop',
  }),
  timeColumn({ id: 'createdAt', header: texts.createdAt, of: ({ createdAt }) => createdAt }),
];

/** Returns the entries that contain a text. A phone number matches in any spacing. */
function matchingEntries(entries: readonly DoNotContact[], search: string): readonly DoNotContact[] {
  const searchText = search.trim().toLowerCase();
  const digits = /^[\d\s()+-]+$/.test(searchText) ? searchDigits(searchText) : '';
  return entries.filter(
    ({ kind, value, reason, addedByName }) =>
      [value, reason, addedByName].some((text) => text.toLowerCase().includes(searchText)) ||
      (kind === 'phone' && digits !== '' && searchDigits(value).includes(digits)),
  );
}

export default function DoNotContactScreen(): ReactNode {
  const query = useLiveQuery(doNotContactQuery, 'do-not-contact');
  const { mutateAsync: remove } = useRemoveContact();
  const [search, setSearch] = useState('');
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<DoNotContact | null>(null);
  const entries = query.data?.items;
  const isSearched = search !== '' && entries !== undefined && entries.length > 0;
  return (
    <ListScreen
      texts={isSearched ? { ...texts, empty: texts.noMatch, emptyNext: texts.noMatchNext } : texts}
      actions={
        entries?.length !== 0 && (
          <Button leftSection={<Plus />} onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        )
      }
      query={query}
      filters={
        entries?.length !== 0 && (
          <FilterBar>
            <SearchFilter label={texts.search} value={search} onChange={setSearch} />
          </FilterBar>
        )
      }
      name="do-not-contact"
      columns={columns}
      rows={entries && matchingEntries(entries, search)}
      rowKey={({ _id }) => _id}
      rowLabel={({ value }) => value}
      rowActions={(entry) => (
        <RowAction
          action="delete"
          name={entry.value}
          ability={entry.abilities.delete}
          reasons={texts.reasons}
          onClick={() => setRemoved(entry)}
        />
      )}
      icon={<Ban />}
      emptyAction={
        !isSearched && (
          <Button leftSection={<Plus />} onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        )
      }
    >
      {isAdding && <DoNotContactForm onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmDialog
          title={texts.removeTitle}
          confirmLabel={texts.remove}
          destructive
          failed={texts.saveFailed}
          done={texts.removed(removed.value)}
          onConfirm={() => remove({ params: { id: removed._id } })}
          onClose={() => setRemoved(null)}
        >
          {texts.removeQuestion(removed.value)}
        </ConfirmDialog>
      )}
    </ListScreen>
  );
}
