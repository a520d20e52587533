import { Suspense, type ReactNode } from 'react';
import { texts } from '../../../texts/deals.ts';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { MergeDialog, SendEmailDialog } from '../../email-sending/send-dialogs.queries.ts';
import { dealDialog, type DealDialog } from '../data-entry-context.ts';
import { editAbility } from '../deal-row.ts';

const DeleteDeals = lazyPart(() => import('./DeleteDeals.tsx'));
const ShareDeals = lazyPart(async () => ({ default: (await import('./DealSharing.tsx')).ShareDeals }));
const TransferDeals = lazyPart(async () => ({ default: (await import('./DealSharing.tsx')).TransferDeals }));
const SetStatus = lazyPart(async () => ({ default: (await import('./ChangeDeals.tsx')).SetStatus }));
const SetMonth = lazyPart(async () => ({ default: (await import('./ChangeDeals.tsx')).SetMonth }));
const DeletedRows = lazyPart(() => import('./DeletedRows.tsx'));
const DealAttachments = lazyPart(() => import('../attachments/DealAttachments.tsx'));
const RowHistory = lazyPart(() => import('../history/RowHistory.tsx'));

export default function DealDialogs({ dialog }: { dialog: DealDialog }): ReactNode {
  return (
    <Suspense>
      <Dialog {...dialog} />
    </Suspense>
  );
}

function Dialog({ kind, rows, field, onDeleted }: DealDialog): ReactNode {
  const onClose = (): void => dealDialog.set(null);
  const saved = rows.flatMap(({ deal }) => deal ?? []);
  const [first, second] = saved;
  const customerName = first?.customerName ?? texts.unnamed;
  switch (kind) {
    case 'email':
      if (!first) return null;
      if (second) return <MergeDialog dealIds={saved.map(({ _id }) => _id)} onClose={onClose} />;
      return <SendEmailDialog deal={{ _id: first._id, customerName }} onClose={onClose} />;
    case 'share':
      return <ShareDeals deals={saved} onClose={onClose} />;
    case 'transfer':
      return <TransferDeals deals={saved} onClose={onClose} />;
    case 'delete':
      return <DeleteDeals rows={rows} onDone={onDeleted} onClose={onClose} />;
    case 'status':
      return <SetStatus rows={rows} onClose={onClose} />;
    case 'month':
      return <SetMonth rows={rows} onClose={onClose} />;
    case 'history':
      return <RowHistory rows={rows} field={field} onClose={onClose} />;
    case 'attachments':
      return first ? (
        <DealAttachments
          deal={{ _id: first._id, customerName }}
          ability={editAbility(first)}
          onClose={onClose}
        />
      ) : null;
    case 'deleted':
      return <DeletedRows onClose={onClose} />;
    default:
      return kind satisfies never;
  }
}
