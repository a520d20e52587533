import type { Item } from '@forecourt/contract/items';
import type { UserPermissions } from '@forecourt/contract/permissions';
import type { ReactNode } from 'react';
import { texts } from '../../texts/items.ts';
import { ShareDialog } from '../../ui/sharing/ShareDialog.tsx';
import { readAndWrite } from '../../ui/sharing/shares.ts';
import { TransferDialog } from '../../ui/sharing/TransferDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useLevelWarning } from '../permissions/permissions.queries.ts';
import { useShareItem, useTransferItem } from './items.queries.ts';

type DialogProps = { item: Item; onClose: () => void };

/** Shares an item, by its owner or an administrator. */
export function ShareItem({ item, onClose }: DialogProps): ReactNode {
  const warning = useLevelWarning(warningOf);
  const { mutateAsync } = useShareItem();
  return (
    <ShareDialog
      what={item.name}
      levels={readAndWrite}
      record={item}
      warning={warning}
      submit={async (sharedWith, version) => {
        await mutateAsync({ params: { id: item._id }, body: { sharedWith, version } });
        toastDone(sharedWith.length === 0 ? texts.unshared : texts.shared(sharedWith.length));
      }}
      onClose={onClose}
    />
  );
}

/** Transfers an item to another user, by its owner or an administrator. */
export function TransferItem({ item, onClose }: DialogProps): ReactNode {
  const { mutateAsync } = useTransferItem();
  return (
    <TransferDialog
      what={item.name}
      ownerId={item.owner}
      submit={async (transfer) => {
        await mutateAsync({ body: { resourceIds: [item._id], ...transfer } });
        toastDone(texts.transferred);
      }}
      onClose={onClose}
    />
  );
}

function warningOf(record: UserPermissions, name: string, level: 'read' | 'write'): string | undefined {
  const isAdmin = record.role === 'admin';
  const opensList = isAdmin || (record.pages.itemConfiguration && record.features.manageItems);
  const editsAll = isAdmin || record.itemConfiguration.editItems;
  if (level === 'read') return editsAll ? texts.editsAnyway(name) : undefined;
  if (!opensList) return texts.cannotOpenList(name);
  return editsAll ? undefined : texts.editsOnlyThis(name);
}
