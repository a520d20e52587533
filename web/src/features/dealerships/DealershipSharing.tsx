import type { Dealership } from '@forecourt/contract/dealerships';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import { ShareDialog } from '../../ui/sharing/ShareDialog.tsx';
import type { Levels } from '../../ui/sharing/shares.ts';
import { TransferDialog } from '../../ui/sharing/TransferDialog.tsx';
import type { WarningOf } from '../../ui/sharing/use-level-warning.ts';
import { useShareDealership, useShareDealerships, useTransferDealerships } from './dealerships.queries.ts';

export type DealershipLevel = Dealership['sharedWith'][number]['permissions'];

/** The share levels with their labels, lowest first (docs/product/sharing.md, Levels). */
export const shareLevels: Levels<DealershipLevel> = [
  { value: 'read', label: sharing.dealershipLevels.read },
  { value: 'write', label: sharing.dealershipLevels.write },
  { value: 'admin', label: sharing.dealershipLevels.admin },
];

/** Warns if a user's own right to edit dealerships and a share differ. */
export const warningOf: WarningOf<DealershipLevel> = ({ role, dealershipConfiguration }, name, level) => {
  const { viewDealerships, editDealerships } = dealershipConfiguration;
  const canEdit = role === 'admin' || editDealerships;
  if (level === 'read') return canEdit ? texts.editsAnyway(name) : undefined;
  if (canEdit) return undefined;
  return viewDealerships ? texts.editsOnlyHere(name) : texts.seesOnlyHere(name);
};

type DialogProps = {
  /** A single dealership, whose shares are replaced, or several, to which shares are added. */
  dealerships: readonly Dealership[];
  onDone: () => void;
  onClose: () => void;
};

const named = (dealerships: readonly Dealership[]): string => {
  const [first, second] = dealerships;
  return first !== undefined && second === undefined ? first.name : texts.many(dealerships.length);
};

const idsOf = (dealerships: readonly Dealership[]): string[] => dealerships.map(({ _id }) => _id);

export function ShareDealerships({ dealerships, onDone, onClose }: DialogProps): ReactNode {
  const { mutateAsync: replace } = useShareDealership();
  const { mutateAsync: add } = useShareDealerships();
  const [first, second] = dealerships;

  return (
    <ShareDialog
      what={named(dealerships)}
      levels={shareLevels}
      records={dealerships}
      warningOf={warningOf}
      submit={async (sharedWith, version) => {
        if (first && !second) await replace({ params: { id: first._id }, body: { sharedWith, version } });
        else await add({ body: { dealershipIds: idsOf(dealerships), sharedWith } });
        onDone();
        return texts.shared(dealerships.length, sharedWith.length);
      }}
      onClose={onClose}
    />
  );
}

export function TransferDealerships({ dealerships, onDone, onClose }: DialogProps): ReactNode {
  const { mutateAsync } = useTransferDealerships();
  return (
    <TransferDialog
      what={named(dealerships)}
      records={dealerships}
      submit={async (transfer) => {
        await mutateAsync({ body: { resourceIds: idsOf(dealerships), ...transfer } });
        onDone();
        return texts.transferred(dealerships.length);
      }}
      onClose={onClose}
    />
  );
}
