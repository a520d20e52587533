import type { Deal } from '@forecourt/contract/deals';
import type { ReactNode } from 'react';
import { texts } from '../../../texts/deal-actions.ts';
import { texts as common } from '../../../texts/deals.ts';
import { texts as sharing } from '../../../texts/sharing.ts';
import { ShareDialog } from '../../../ui/sharing/ShareDialog.tsx';
import type { Levels } from '../../../ui/sharing/shares.ts';
import { TransferDialog } from '../../../ui/sharing/TransferDialog.tsx';
import { useOwnerWarning, type WarningOf } from '../../../ui/sharing/use-level-warning.ts';
import { useDealActions } from './row-actions.ts';

type Level = Deal['sharedWith'][number]['permissions'];

const levels: Levels<Level> = [
  { value: 'view', label: sharing.levels.view },
  { value: 'write', label: sharing.levels.write },
];

type DialogProps = { deals: readonly Deal[]; onClose: () => void };

const named = (deals: readonly Deal[]): string => {
  const [first, second] = deals;
  return second === undefined ? (first?.customerName ?? common.unnamed) : common.rows(deals.length);
};

export function ShareDeals({ deals, onClose }: DialogProps): ReactNode {
  const { share } = useDealActions();
  return (
    <ShareDialog
      what={named(deals)}
      levels={levels}
      records={deals}
      warningOf={warningOf}
      submit={async (sharedWith, version) => {
        await share(deals, sharedWith, version);
        return texts.shared(deals.length, sharedWith.length);
      }}
      onClose={onClose}
    />
  );
}

/** Transfers rows to another owner, for owners with the permission and administrators. */
export function TransferDeals({ deals, onClose }: DialogProps): ReactNode {
  const { transfer } = useDealActions();
  return (
    <TransferDialog
      what={named(deals)}
      records={deals}
      warning={useOwnerWarning()}
      submit={async (to) => texts.transferred(await transfer(deals, to))}
      onClose={onClose}
    />
  );
}

/** Warns if a share gives less or more access than its level. */
const warningOf: WarningOf<Level> = (record, name, level) => {
  if (record.role === 'admin') return level === 'view' ? texts.editsAnyway(name) : undefined;
  if (!record.pages.dataEntry) return texts.cannotOpen(name);
  return level === 'write' && !record.dataEntry.canEditRows ? texts.editsOnlyHere(name) : undefined;
};
