import type { DeletedDeal } from '@forecourt/contract/deal-deleted';
import { Button, Checkbox, Loader, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Trash2 from 'lucide-react/icons/trash-2';
import { useState, type ReactNode } from 'react';
import { useTimeZone } from '../../../platform/deal-options.ts';
import { formatDateTime, formatMonth } from '../../../platform/formats.ts';
import { useLiveRefresh } from '../../../platform/live-events.ts';
import { texts } from '../../../texts/deleted-deals.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { Pager } from '../../../ui/Pager.tsx';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { toggled } from '../../../ui/table/selection.ts';
import { toastDone, toastFailed } from '../../../ui/toasts.ts';
import { deletedKey, deletedQuery } from '../deals.queries.ts';
import { useDealActions } from './row-actions.ts';

const SEARCH_MS = 200;
const DAY_MS = 24 * 60 * 60 * 1000;
const none: ReadonlySet<string> = new Set();

/** Lists the deleted rows that administrators can restore (docs/product/data-entry.md, Deleted rows). */
export default function DeletedRows({ onClose }: { onClose: () => void }): ReactNode {
  const actions = useDealActions();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), SEARCH_MS);
  const [page, setPage] = useState(1);
  const [ticked, setTicked] = useState(none);
  const [busy, setBusy] = useState(false);
  const query = useQuery({ ...deletedQuery(search, page), placeholderData: keepPreviousData });
  const { data, dataUpdatedAt, isPlaceholderData, refetch } = query;
  useLiveRefresh('deal', deletedKey);

  const rows = data?.items ?? [];
  const all = rows.map(({ _id }) => _id);
  const chosen = all.filter((id) => ticked.has(id));
  const restore = async (ids: string[]): Promise<void> => {
    setBusy(true);
    try {
      toastDone(texts.restored(await actions.restore(ids)));
      setTicked(none);
    } catch (thrown) {
      toastFailed(thrown, texts.restoreFailed);
    }
    setBusy(false);
    await refetch();
  };

  return (
    <SideDrawer title={texts.title} width={560} onClose={onClose}>
      <TextInput
        type="search"
        label={texts.search}
        placeholder={texts.searchFor}
        value={typed}
        data-autofocus
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setPage(1);
        }}
      />
      {rows.length > 0 && (
        <div className="ui-line ui-between ui-mt-4">
          <Checkbox
            label={texts.all(rows.length)}
            checked={chosen.length === rows.length}
            indeterminate={chosen.length > 0 && chosen.length < rows.length}
            onChange={() => setTicked(new Set(chosen.length === all.length ? [] : all))}
          />
          <Button disabled={chosen.length === 0} loading={busy} onClick={() => void restore(chosen)}>
            {texts.restoreMany(chosen.length)}
          </Button>
        </div>
      )}
      <Loaded of={query} message={texts.loadFailed} loading={<Loader size={20} />} />
      {data?.total === 0 && (
        <EmptyState icon={<Trash2 />} title={search === '' ? texts.nothing : texts.nothingFound(search)}>
          {search === '' ? texts.nothingNote : null}
        </EmptyState>
      )}
      <ul className="ui-lines ui-mt-4">
        {rows.map((row) => (
          <li key={row._id} className="ui-line ui-gap-3 ui-top">
            <Checkbox
              aria-label={row.customerName}
              checked={ticked.has(row._id)}
              onChange={() => setTicked(toggled(ticked, all, row._id))}
            />
            <Deleted row={row} now={dataUpdatedAt} />
            <Button
              variant="default"
              size="compact-sm"
              aria-label={texts.restoreNamed(row.customerName)}
              disabled={busy}
              onClick={() => void restore([row._id])}
            >
              {texts.restore}
            </Button>
          </li>
        ))}
      </ul>
      {data && (
        <Pager
          page={page}
          limit={data.limit}
          total={data.total}
          isStale={isPlaceholderData}
          onPage={setPage}
        />
      )}
    </SideDrawer>
  );
}

function Deleted({ row, now }: { row: DeletedDeal; now: number }): ReactNode {
  const timeZone = useTimeZone();
  const { customerName, customerNumber, dealNumber, dealershipName, month, ownerName } = row;
  const about = [dealershipName, formatMonth(month), customerNumber, dealNumber].filter(Boolean).join(' · ');
  const days = Math.ceil((Date.parse(row.restorableUntil) - now) / DAY_MS);
  return (
    <div className="ui-stack ui-gap-1 ui-anywhere ui-grow">
      <strong>{customerName}</strong>
      <span className="ui-muted">{about}</span>
      <span className="ui-muted">{texts.owner(ownerName)}</span>
      <span className="ui-muted">
        {texts.deletedBy(row.deletedByName)}
        {' · '}
        <time dateTime={row.deletedAt}>{formatDateTime(row.deletedAt, timeZone)}</time>
        {' · '}
        <span className={days < 3 ? 'ui-warn' : undefined}>{texts.daysLeft(days)}</span>
      </span>
    </div>
  );
}
