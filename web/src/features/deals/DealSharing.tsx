import type { Deal } from '@forecourt/contract/deals';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMay } from '../../platform/permissions.ts';
import { texts } from '../../texts/deals.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import { ShareDialog } from '../../ui/sharing/ShareDialog.tsx';
import type { Levels, LevelWarning } from '../../ui/sharing/shares.ts';
import { TransferDialog } from '../../ui/sharing/TransferDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { permissionsQuery } from '../permissions/permissions.queries.ts';
import { directoryQuery } from '../users/users.queries.ts';
import type { HandOver } from './deal-actions.ts';
import { shareDeal, shareDeals } from './deals.queries.ts';

type Level = Deal['sharedWith'][number]['permissions'];

const levels: Levels<Level> = [
  { value: 'view', label: sharing.levels.view },
  { value: 'write', label: sharing.levels.write },
];

type DialogProps = {
  /** One, whose shares are replaced, or several, to which people are added. */
  deals: readonly Deal[];
  /** The rows as they are afterwards. */
  onChanged: (deals: readonly Deal[]) => void;
  onClose: () => void;
};

const named = (deals: readonly Deal[]): string => {
  const [first, second] = deals;
  return second === undefined ? (first?.customerName ?? texts.unnamed) : texts.rows(deals.length);
};

const idsOf = (deals: readonly Deal[]): string[] => deals.map(({ _id }) => _id);

/** Owners and administrators let others change rows. */
export function ShareDeals({ deals, onChanged, onClose }: DialogProps): ReactNode {
  const directory = useQuery(directoryQuery);
  const warning = useDealWarning();
  const [first, second] = deals;
  const only = second === undefined ? first : undefined;
  return (
    <ShareDialog
      what={named(deals)}
      levels={levels}
      directory={directory}
      record={only ?? null}
      warning={warning}
      submit={async (sharedWith, version) => {
        if (only) onChanged([await shareDeal(only._id, { sharedWith, version })]);
        else onChanged((await shareDeals({ ids: idsOf(deals), sharedWith })).items);
        toastDone(
          sharedWith.length === 0
            ? texts.unshared(deals.length)
            : texts.shared(deals.length, sharedWith.length),
        );
      }}
      onClose={onClose}
    />
  );
}

type TransferProps = Pick<DialogProps, 'deals' | 'onClose'> & {
  /** Answers how many rows changed hands. */
  transfer: (deals: readonly Deal[], to: HandOver) => Promise<number>;
};

/** Owners who may and administrators give rows to somebody else. */
export function TransferDeals({ deals, transfer, onClose }: TransferProps): ReactNode {
  const directory = useQuery(directoryQuery);
  const owners = new Set(deals.map(({ owner }) => owner));
  return (
    <TransferDialog
      what={named(deals)}
      directory={directory}
      ownerId={owners.size === 1 ? deals[0]?.owner : undefined}
      submit={async (to) => toastDone(texts.transferred(await transfer(deals, to)))}
      onClose={onClose}
    />
  );
}

/** Says where a share gives less or more than it seems; administrators know what the others may do. */
function useDealWarning(): LevelWarning<Level> {
  const { admin } = useMay();
  const { data: records } = useQuery({ ...permissionsQuery, enabled: admin });
  const { data: directory } = useQuery({ ...directoryQuery, enabled: admin });
  return (userId, level) => {
    const record = records?.items.find((item) => item.userId === userId);
    if (!record) return undefined;
    const name = directory?.items.find(({ _id }) => _id === userId)?.name ?? '';
    if (record.role === 'admin') return level === 'view' ? texts.editsAnyway(name) : undefined;
    if (!record.pages.dataEntry) return texts.cannotOpen(name);
    return level === 'write' && !record.dataEntry.canEditRows ? texts.editsOnlyHere(name) : undefined;
  };
}
