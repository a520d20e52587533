import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import { useQuery } from '@tanstack/react-query';
import Mail from 'lucide-react/icons/mail';
import Trash2 from 'lucide-react/icons/trash-2';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/deals.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { toastWarning } from '../../ui/toasts.ts';
import { useWindowKey } from '../../ui/use-window-key.ts';
import { loadMergeDialog, loadSendEmailDialog } from '../email-sending/send-dialogs.queries.ts';
import type { DealRow } from './deal-row.ts';
import { dealOptionsQuery } from './deals.queries.ts';
import { manyAbility } from './many-rows.ts';
import { MoreActions } from './MoreActions.tsx';
import { SharingActions } from './SharingActions.tsx';
import type { Deals } from './use-deals.ts';

// Dialogs come when they are wanted: the first rows wait for none of them.
const DeleteDeals = lazy(async () => ({ default: (await import('./DeleteDeals.tsx')).DeleteDeals }));
const MergeDialog = lazy(async () => ({ default: await loadMergeDialog() }));
const SendEmailDialog = lazy(async () => ({ default: await loadSendEmailDialog() }));

type DealActionsProps = {
  deals: Deals;
  /** What is acted on. */
  rows: readonly DealRow[];
  /** The column that somebody is in. */
  columnId?: string | undefined;
  /** Opens the items of a row; absent where a form has them. */
  onItems?: (row: DealRow) => void;
  onDeleted: () => void;
};

/** What can be done with rows: send their email, share and hand them over, delete them. Ctrl+Enter in the grid sends. */
export function DealActions({ deals, rows, columnId, onItems, onDeleted }: DealActionsProps): ReactNode {
  const may = useMay();
  const { data: options } = useQuery(dealOptionsQuery);
  const [sending, setSending] = useState<readonly Deal[]>([]);
  const [deleting, setDeleting] = useState<readonly DealRow[] | null>(null);

  const send = (): void => {
    const reason = emailAbility(rows, may.feature('bulkEdit'));
    if (reason === true) setSending(rows.flatMap(({ deal }) => deal ?? []));
    else toastWarning(reason);
  };
  useWindowKey((event) => {
    const inGrid = event.target instanceof Element && event.target.getAttribute('role') === 'grid';
    if (!inGrid || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  });

  return (
    <>
      <ActionButton
        variant="default"
        leftSection={<Mail />}
        ability={emailAbility(rows, may.feature('bulkEdit'))}
        aria-keyshortcuts="Control+Enter"
        onClick={send}
      >
        {texts.sendEmail}
      </ActionButton>
      <SharingActions deals={deals} rows={rows} />
      <ActionButton
        variant="default"
        leftSection={<Trash2 />}
        ability={deleteAbility(rows, deals.table.blankKey(), may.feature('bulkEdit'))}
        onClick={() => setDeleting(rows)}
      >
        {texts.deleteRow}
      </ActionButton>
      <MoreActions deals={deals} rows={rows} options={options} columnId={columnId} onItems={onItems} />
      <Suspense>
        {sending.length === 1 && (
          <SendEmailDialog
            deal={{ _id: sending[0]!._id, customerName: sending[0]!.customerName ?? texts.unnamed }}
            onClose={() => setSending([])}
          />
        )}
        {sending.length > 1 && (
          <MergeDialog dealIds={sending.map(({ _id }) => _id)} onClose={() => setSending([])} />
        )}
      </Suspense>
      {deleting && (
        <Suspense>
          <DeleteDeals deals={deals} rows={deleting} onDone={onDeleted} onClose={() => setDeleting(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Whether the rows' emails can be sent, or the first reason why not. */
function emailAbility(rows: readonly DealRow[], mayBulk: boolean): Ability {
  if (rows.length === 0) return texts.chooseRow;
  const many = manyAbility(rows.length, mayBulk);
  if (many !== true) return many;
  for (const { deal, draft } of rows) {
    if (deal === null) return texts.saveRowFirst;
    // The message is made from what the server has; typed words that it lacks would be missing.
    if (draft !== undefined) return texts.changesFirst;
    if (deal.abilities.email !== true) return texts.mayNotEmail;
  }
  return true;
}

function deleteAbility(rows: readonly DealRow[], blankKey: string | null, mayBulk: boolean): Ability {
  const chosen = rows.filter(({ key }) => key !== blankKey);
  if (chosen.length === 0) return texts.chooseRow;
  const many = manyAbility(chosen.filter(({ deal }) => deal !== null).length, mayBulk);
  if (many !== true) return many;
  for (const { deal } of chosen) {
    if (deal === null || deal.abilities.delete === true) continue;
    return deal.abilities.delete === 'NOT_ROW_OWNER' ? texts.ownedBy(deal.ownerName) : texts.mayNotDelete;
  }
  return true;
}
