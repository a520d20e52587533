import type { Item } from '@forecourt/contract/items';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/items.ts';
import { ShareDialog } from '../../ui/sharing/ShareDialog.tsx';
import type { LevelWarning } from '../../ui/sharing/shares.ts';
import { TransferDialog } from '../../ui/sharing/TransferDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { permissionsQuery } from '../permissions/permissions.queries.ts';
import { directoryQuery } from '../users/users.queries.ts';
import { shareLevels, type ItemLevel } from './item-shares.ts';
import { useShareItem, useTransferItem } from './items.queries.ts';

type DialogProps = { item: Item; onClose: () => void };

/** Shares an item, by its owner or an administrator. */
export function ShareItem({ item, onClose }: DialogProps): ReactNode {
  const directory = useQuery(directoryQuery);
  const warning = useItemWarning();
  const { mutateAsync } = useShareItem();
  return (
    <ShareDialog
      what={item.name}
      levels={shareLevels}
      directory={directory}
      record={item}
      warning={warning}
      submit={async (sharedWith, version) => {
        await mutateAsync({ id: item._id, sharedWith, version });
        toastDone(sharedWith.length === 0 ? texts.unshared : texts.shared(sharedWith.length));
      }}
      onClose={onClose}
    />
  );
}

/** Transfers an item to another user, by its owner or an administrator. */
export function TransferItem({ item, onClose }: DialogProps): ReactNode {
  const directory = useQuery(directoryQuery);
  const { mutateAsync } = useTransferItem();
  return (
    <TransferDialog
      what={item.name}
      directory={directory}
      ownerId={item.owner}
      submit={async (transfer) => {
        await mutateAsync({ resourceIds: [item._id], ...transfer });
        toastDone(texts.transferred);
      }}
      onClose={onClose}
    />
  );
}

/** Returns warnings where a user's own right to edit items and a share differ; only administrators know both. */
function useItemWarning(): LevelWarning<ItemLevel> {
  const { isAdmin } = usePermissions();
  const { data: records } = useQuery({ ...permissionsQuery, enabled: isAdmin });
  const { data: directory } = useQuery({ ...directoryQuery, enabled: isAdmin });
  return (userId, level) => {
    const record = records?.items.find((other) => other.userId === userId);
    if (!record) return undefined;
    const name = directory?.items.find(({ _id }) => _id === userId)?.name ?? '';
    const isAdmin = record.role === 'admin';
    const opensList = isAdmin || (record.pages.itemConfiguration && record.features.manageItems);
    const editsAll = isAdmin || record.itemConfiguration.editItems;
    if (level === 'read') return editsAll ? texts.editsAnyway(name) : undefined;
    if (!opensList) return texts.cannotOpenList(name);
    return editsAll ? undefined : texts.editsOnlyThis(name);
  };
}
