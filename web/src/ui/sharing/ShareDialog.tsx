import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { texts } from '../../texts/sharing.ts';
import { FormModal } from '../FormModal.tsx';
import { toastDone } from '../toasts.ts';
import { errorWithin, useForm } from '../use-form.ts';
import { SharePeople } from './SharePeople.tsx';
import { givenShares, isSameSharing, type KnownShare, type Levels, type Share } from './shares.ts';
import type { WarningOf } from './use-level-warning.ts';

export type SharedRecord<L extends string> = {
  readonly version: number;
  readonly owner?: string | undefined;
  readonly sharedWith: readonly KnownShare<L>[];
};

type ShareDialogProps<L extends string> = {
  /** Names the shared records: a name, or a number. */
  what: string;
  levels: Levels<L>;
  /** A single record, whose shares are preselected, or several, to which shares are added. */
  records: readonly SharedRecord<L>[];
  warningOf: WarningOf<L>;
  /** Saves the shares; for a single record as a change of this version. Returns the success message. */
  submit: (shares: Share<L>[], version: number | undefined) => Promise<string>;
  onClose: () => void;
};

/** Edits the shares of a record with their levels, or adds shares to many (docs/product/sharing.md, Share dialog). */
export function ShareDialog<L extends string>({
  what,
  levels,
  records,
  warningOf,
  submit,
  onClose,
}: ShareDialogProps<L>): ReactNode {
  const [base, setBase] = useState(records.length === 1 ? records[0] : undefined);
  const currentShares = base?.sharedWith ?? [];
  const removesAll = (shares: readonly Share<L>[]): boolean =>
    shares.length === 0 && currentShares.length > 0;
  const [isOvertaken, setIsOvertaken] = useState(false);

  const save = async (sharedWith: readonly Share<L>[], version: number | undefined): Promise<void> => {
    toastDone(await submit([...sharedWith], version));
    onClose();
  };
  const form = useForm<{ sharedWith: readonly Share<L>[] }>({
    initial: { sharedWith: givenShares(currentShares) },
    failed: texts.failed,
    validate: ({ sharedWith }) =>
      sharedWith.length > 0 || removesAll(sharedWith) ? {} : { sharedWith: texts.chooseUser },
    submit: async ({ sharedWith }) => {
      setIsOvertaken(false);
      try {
        await save(sharedWith, base?.version);
      } catch (thrown) {
        if (!(thrown instanceof ApiError && thrown.code === 'CONFLICT')) throw thrown;
        const current = thrown.current as SharedRecord<L>;
        setBase(current);
        // A conflict about other fields does not concern the shares: saved again with the current version.
        if (isSameSharing(current.sharedWith, currentShares)) return await save(sharedWith, current.version);
        form.set('sharedWith', givenShares(current.sharedWith));
        setIsOvertaken(true);
      }
    },
  });
  const { sharedWith } = form.values;

  return (
    <FormModal
      title={texts.share(what)}
      size="lg"
      form={{ ...form, message: form.message ?? (isOvertaken ? texts.conflict : null) }}
      submitLabel={removesAll(sharedWith) ? texts.removeAll : texts.update}
      busyLabel={texts.updating}
      onClose={onClose}
    >
      <SharePeople
        levels={levels}
        currentShares={currentShares}
        ownerId={base?.owner}
        warningOf={warningOf}
        value={sharedWith}
        onChange={(shares) => form.set('sharedWith', shares)}
        error={errorWithin(form.errors, 'sharedWith')}
      />
    </FormModal>
  );
}
