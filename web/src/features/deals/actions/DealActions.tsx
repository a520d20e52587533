import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import { Button } from '@mantine/core';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Mail from 'lucide-react/icons/mail';
import Share2 from 'lucide-react/icons/share-2';
import Trash2 from 'lucide-react/icons/trash-2';
import { Suspense, useState, type ReactNode } from 'react';
import { lazyAfterFirstPaint } from '../../../platform/first-screen.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts as menuTexts } from '../../../texts/deal-actions.ts';
import { texts } from '../../../texts/deals.ts';
import { ActionButton } from '../../../ui/ActionButton.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { toastWarning } from '../../../ui/toasts.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { useOpener } from '../../../ui/use-opener.ts';
import { useWindowKey } from '../../../ui/use-window-key.ts';
import { loadMergeDialog, loadSendEmailDialog } from '../../email-sending/send-dialogs.queries.ts';
import { useDataEntry } from '../data-entry-context.ts';
import type { DealRow } from '../deal-row.ts';
import type { MoreActionsProps } from './MoreMenu.tsx';
import { manyAbility, fitsOneCall } from './row-actions.ts';

// Loaded when opened, so that they do not delay the first rows.
const DeleteDeals = lazyPart(async () => ({ default: (await import('./DeleteDeals.tsx')).DeleteDeals }));
const MergeDialog = lazyPart(async () => ({ default: await loadMergeDialog() }));
const SendEmailDialog = lazyPart(async () => ({ default: await loadSendEmailDialog() }));
const MoreMenu = lazyAfterFirstPaint(() => import('./MoreMenu.tsx'));
const ShareDeals = lazyPart(async () => ({ default: (await import('./DealSharing.tsx')).ShareDeals }));
const TransferDeals = lazyPart(async () => ({ default: (await import('./DealSharing.tsx')).TransferDeals }));

type DealActionsProps = {
  /** The rows to act on. */
  rows: readonly DealRow[];
  /** The active column. */
  columnId?: string | undefined;
  /** Opens the items of a row. Absent where a form shows them. */
  onItems?: (row: DealRow) => void;
  onDeleted: () => void;
};

/** The actions on rows: send email, share, transfer, delete. Ctrl+Enter in the grid sends. */
export function DealActions({ rows, columnId, onItems, onDeleted }: DealActionsProps): ReactNode {
  const { deals } = useDataEntry();
  const permissions = usePermissions();
  const [sending, setSending] = useState<readonly Deal[]>([]);
  const [deleting, setDeleting] = useState<readonly DealRow[] | null>(null);

  const send = (): void => {
    const reason = emailAbility(rows, permissions.feature('bulkEdit'));
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
        ability={emailAbility(rows, permissions.feature('bulkEdit'))}
        aria-keyshortcuts="Control+Enter"
        onClick={send}
      >
        {texts.sendEmail}
      </ActionButton>
      <SharingActions rows={rows} />
      <ActionButton
        variant="default"
        leftSection={<Trash2 />}
        ability={deleteAbility(rows, deals.table.blankKey(), permissions.feature('bulkEdit'))}
        onClick={() => setDeleting(rows)}
      >
        {texts.deleteRow}
      </ActionButton>
      <MoreActions rows={rows} columnId={columnId} onItems={onItems} />
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
          <DeleteDeals rows={deleting} onDone={onDeleted} onClose={() => setDeleting(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Returns whether the rows' emails can be sent, or the first reason why not. */
function emailAbility(rows: readonly DealRow[], canBulk: boolean): Ability {
  if (rows.length === 0) return texts.chooseRow;
  const many = manyAbility(rows.length, canBulk, 'email');
  if (many !== true) return many;
  for (const { deal, draft } of rows) {
    if (deal === null) return texts.saveRowFirst;
    // The message is rendered from the saved values; unsaved ones would be missing.
    if (draft !== undefined) return texts.changesFirst;
    if (deal.abilities.email !== true) return texts.mayNotEmail;
  }
  return true;
}

function deleteAbility(rows: readonly DealRow[], blankKey: string | null, canBulk: boolean): Ability {
  const chosen = rows.filter(({ key }) => key !== blankKey);
  if (chosen.length === 0) return texts.chooseRow;
  const many = manyAbility(chosen.filter(({ deal }) => deal !== null).length, canBulk, 'delete');
  if (many !== true) return many;
  for (const { deal } of chosen) {
    if (deal === null || deal.abilities.delete === true) continue;
    return deal.abilities.delete === 'NOT_ROW_OWNER' ? texts.ownedBy(deal.ownerName) : texts.mayNotDelete;
  }
  return true;
}

/** The menu of the less frequent actions on rows. */
function MoreActions(props: MoreActionsProps): ReactNode {
  const { button, part } = useOpener('menu');
  return (
    <>
      <Tooltip label={menuTexts.more}>
        <Button variant="default" px={8} aria-label={menuTexts.more} {...button}>
          <Ellipsis />
        </Button>
      </Tooltip>
      <Suspense>{part && <MoreMenu part={part} {...props} />}</Suspense>
    </>
  );
}

type SharingActionsProps = { rows: readonly DealRow[] };

/** Shares rows and transfers them to another owner (docs/product/sharing.md, Who may share). */
function SharingActions({ rows }: SharingActionsProps): ReactNode {
  const { deals } = useDataEntry();
  const permissions = usePermissions();
  const [open, setOpen] = useState<{ kind: 'share' | 'transfer'; rows: readonly DealRow[] } | null>(null);
  const chosen = open?.rows.flatMap(({ deal }) => deal ?? []) ?? [];

  return (
    <>
      <ActionButton
        variant="default"
        leftSection={<Share2 />}
        ability={abilityOf(rows, 'share')}
        onClick={() => setOpen({ kind: 'share', rows })}
      >
        {texts.share}
      </ActionButton>
      <ActionButton
        variant="default"
        leftSection={<ArrowRightLeft />}
        ability={
          rows.length > 1 && !permissions.feature('bulkEdit')
            ? texts.mayNotBulk('hand over')
            : abilityOf(rows, 'transfer')
        }
        onClick={() => setOpen({ kind: 'transfer', rows })}
      >
        {texts.transfer}
      </ActionButton>
      {open && (
        <Suspense>
          {open.kind === 'share' ? (
            <ShareDeals deals={chosen} share={deals.actions.share} onClose={() => setOpen(null)} />
          ) : (
            <TransferDeals deals={chosen} transfer={deals.actions.transfer} onClose={() => setOpen(null)} />
          )}
        </Suspense>
      )}
    </>
  );
}

/** Returns whether an action is allowed on all of the rows, or the first reason why not. */
function abilityOf(rows: readonly DealRow[], action: 'share' | 'transfer'): Ability {
  if (rows.length === 0) return texts.chooseRow;
  const fits = fitsOneCall(rows.length);
  if (fits !== true) return fits;
  for (const { deal } of rows) {
    if (deal === null) return texts.saveFirst;
    const ability = deal.abilities[action];
    if (ability === 'NO_OWNER_CHANGE') return texts.mayNotTransfer;
    if (ability !== true) return texts.ownedByFor(deal.ownerName, action);
  }
  return true;
}
