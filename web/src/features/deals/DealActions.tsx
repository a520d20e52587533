import type { Deal } from '@forecourt/contract/deals';
import type { Ability } from '@forecourt/contract/route';
import Mail from 'lucide-react/icons/mail';
import Trash2 from 'lucide-react/icons/trash-2';
import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { texts } from '../../texts/deals.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { toastWarning } from '../../ui/toasts.ts';
import { loadSendEmailDialog } from '../email-sending/email-sending.queries.ts';
import type { DealRow } from './deal-row.ts';
import type { Deals } from './use-deals.ts';

// Dialogs come when they are wanted: the first rows wait for none of them.
const DeleteDeals = lazy(async () => ({ default: (await import('./DeleteDeals.tsx')).DeleteDeals }));
const SendEmailDialog = lazy(async () => ({ default: await loadSendEmailDialog() }));

type DealActionsProps = {
  deals: Deals;
  /** What is acted on. */
  rows: readonly DealRow[];
  onDeleted: () => void;
};

/** What can be done with rows: send their email, delete them. Ctrl+Enter in the grid sends. */
export function DealActions({ deals, rows, onDeleted }: DealActionsProps): ReactNode {
  const [sending, setSending] = useState<Deal | null>(null);
  const [deleting, setDeleting] = useState<readonly DealRow[] | null>(null);

  const send = (): void => {
    const reason = emailAbility(rows);
    if (reason === true) setSending(rows[0]?.deal ?? null);
    else toastWarning(reason);
  };
  const press = useEffectEvent((event: KeyboardEvent) => {
    const inGrid = event.target instanceof Element && event.target.getAttribute('role') === 'grid';
    if (!inGrid || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);

  return (
    <>
      <ActionButton
        variant="default"
        leftSection={<Mail />}
        ability={emailAbility(rows)}
        aria-keyshortcuts="Control+Enter"
        onClick={send}
      >
        {texts.sendEmail}
      </ActionButton>
      <ActionButton
        variant="default"
        leftSection={<Trash2 />}
        ability={deleteAbility(rows, deals.table.blankKey())}
        onClick={() => setDeleting(rows)}
      >
        {texts.deleteRow}
      </ActionButton>
      {sending && (
        <Suspense>
          <SendEmailDialog deal={sending} onClose={() => setSending(null)} />
        </Suspense>
      )}
      {deleting && (
        <Suspense>
          <DeleteDeals deals={deals} rows={deleting} onDone={onDeleted} onClose={() => setDeleting(null)} />
        </Suspense>
      )}
    </>
  );
}

/** Whether the rows' email can be sent, or the reason why not. */
function emailAbility(rows: readonly DealRow[]): Ability {
  const [row, second] = rows;
  if (row === undefined) return texts.chooseRow;
  if (second !== undefined) return texts.chooseOneRow;
  if (row.deal === null) return texts.saveRowFirst;
  // The message is made from what the server has; typed words that it lacks would be missing.
  if (row.draft !== undefined) return texts.changesFirst;
  return row.deal.abilities.email === true ? true : texts.mayNotEmail;
}

function deleteAbility(rows: readonly DealRow[], blankKey: string | null): Ability {
  const chosen = rows.filter(({ key }) => key !== blankKey);
  if (chosen.length === 0) return texts.chooseRow;
  for (const { deal } of chosen) {
    if (deal === null || deal.abilities.delete === true) continue;
    return deal.abilities.delete === 'NOT_ROW_OWNER' ? texts.ownedBy(deal.ownerName) : texts.mayNotDelete;
  }
  return true;
}
