import type { Ability } from '@forecourt/contract/route';
import ArrowRightLeft from 'lucide-react/icons/arrow-right-left';
import Share2 from 'lucide-react/icons/share-2';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/deals.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import type { DealRow } from './deal-row.ts';
import { fitsOneCall } from './many-rows.ts';
import type { Deals } from './use-deals.ts';

const ShareDeals = lazy(async () => ({ default: (await import('./DealSharing.tsx')).ShareDeals }));
const TransferDeals = lazy(async () => ({ default: (await import('./DealSharing.tsx')).TransferDeals }));

type SharingActionsProps = { deals: Deals; rows: readonly DealRow[] };

/** Lets others see or change rows, and gives rows to somebody else (product section 7). */
export function SharingActions({ deals, rows }: SharingActionsProps): ReactNode {
  const may = useMay();
  const [open, setOpen] = useState<{ kind: 'share' | 'transfer'; rows: readonly DealRow[] } | null>(null);
  const chosen = open?.rows.flatMap(({ deal }) => deal ?? []) ?? [];

  return (
    <>
      <ActionButton
        variant="default"
        leftSection={<Share2 />}
        ability={rows.length > 1 && !may.feature('bulkEdit') ? texts.mayNotBulk : abilityOf(rows, 'share')}
        onClick={() => setOpen({ kind: 'share', rows })}
      >
        {texts.share}
      </ActionButton>
      <ActionButton
        variant="default"
        leftSection={<ArrowRightLeft />}
        ability={abilityOf(rows, 'transfer')}
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

/** Whether something may be done with all of the rows, or the first reason why not. */
function abilityOf(rows: readonly DealRow[], action: 'share' | 'transfer'): Ability {
  if (rows.length === 0) return texts.chooseRow;
  const fits = fitsOneCall(rows.length);
  if (fits !== true) return fits;
  for (const { deal } of rows) {
    if (deal === null) return texts.saveFirst;
    const ability = deal.abilities[action];
    if (ability === 'NO_BULK_EDIT') return texts.mayNotBulk;
    if (ability === 'NO_OWNER_CHANGE') return texts.mayNotTransfer;
    if (ability !== true) return texts.ownedByFor(deal.ownerName, action);
  }
  return true;
}
