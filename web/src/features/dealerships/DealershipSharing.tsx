import type { Dealership } from '@forecourt/contract/dealerships';
import type { ReactNode } from 'react';
import { texts } from '../../texts/dealerships.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import { ShareDialog } from '../../ui/sharing/ShareDialog.tsx';
import type { Levels } from '../../ui/sharing/shares.ts';
import { TransferDialog } from '../../ui/sharing/TransferDialog.tsx';
import { toastDone } from '../../ui/toasts.ts';
import { useLevelWarning } from '../permissions/permissions.queries.ts';
import { useShareDealership, useShareDealerships, useTransferDealerships } from './dealerships.queries.ts';

export type DealershipLevel = Dealership['sharedWith'][number]['permissions'];

/** The levels of sharing a dealership with their labels (docs/product/sharing.md, Levels), lowest first. */
export const shareLevels: Levels<DealershipLevel> = [
  { value: 'read', label: sharing.dealershipLevels.read },
  { value: 'write', label: sharing.dealershipLevels.write },
  { value: 'admin', label: sharing.dealershipLevels.admin },
];

/** Returns warnings where a user's own right to edit dealerships and a share differ. */
export const useShareWarning = () =>
  useLevelWarning<DealershipLevel>(({ role, dealershipConfiguration }, name, level) => {
    const { viewDealerships, editDealerships } = dealershipConfiguration;
    const canEdit = role === 'admin' || editDealerships;
    if (level === 'read') return canEdit ? texts.editsAnyway(name) : undefined;
    if (canEdit) return undefined;
    return viewDealerships ? texts.editsOnlyHere(name) : texts.seesOnlyHere(name);
  });

type DialogProps = {
  /** One, whose shares are replaced, or several, to which shares are added. */
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
  const warning = useShareWarning();
  const { mutateAsync: replace } = useShareDealership();
  const { mutateAsync: add } = useShareDealerships();
  const [first] = dealerships;
  const only = dealerships.length === 1 ? first : undefined;

  return (
    <ShareDialog
      what={named(dealerships)}
      levels={shareLevels}
      record={only ?? null}
      warning={warning}
      submit={async (sharedWith, version) => {
        if (only) await replace({ params: { id: only._id }, body: { sharedWith, version } });
        else await add({ body: { dealershipIds: idsOf(dealerships), sharedWith } });
        toastDone(
          sharedWith.length === 0
            ? texts.unshared(dealerships.length)
            : texts.shared(dealerships.length, sharedWith.length),
        );
        onDone();
      }}
      onClose={onClose}
    />
  );
}

export function TransferDealerships({ dealerships, onDone, onClose }: DialogProps): ReactNode {
  const { mutateAsync } = useTransferDealerships();
  const owners = new Set(dealerships.map(({ owner }) => owner));

  return (
    <TransferDialog
      what={named(dealerships)}
      ownerId={owners.size === 1 ? [...owners][0] : undefined}
      submit={async (transfer) => {
        await mutateAsync({ body: { resourceIds: idsOf(dealerships), ...transfer } });
        toastDone(texts.transferred(dealerships.length));
        onDone();
      }}
      onClose={onClose}
    />
  );
}
