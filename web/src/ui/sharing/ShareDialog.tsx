import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { directoryQuery } from '../../platform/directory.ts';
import { texts } from '../../texts/sharing.ts';
import { FormModal } from '../FormModal.tsx';
import { errorWithin, useForm } from '../use-form.ts';
import { SharePeople } from './SharePeople.tsx';
import {
  givenShares,
  isSameSharing,
  type KnownShare,
  type Levels,
  type LevelWarning,
  type Share,
} from './shares.ts';

/** The fields of a record that sharing needs. */
type SharedRecord<L extends string> = {
  readonly version: number;
  readonly owner?: string | undefined;
  readonly sharedWith: readonly KnownShare<L>[];
};

type ShareDialogProps<L extends string> = {
  /** The shared records: a name, or a number. */
  what: string;
  levels: Levels<L>;
  /** The single record, whose shares are preselected; null: several, to which shares are added. */
  record: SharedRecord<L> | null;
  warning?: LevelWarning<L>;
  /** Saves the shares; for a single record as a change of this version. */
  submit: (shares: Share<L>[], version: number | undefined) => Promise<void>;
  onClose: () => void;
};

/** Edits the shares of a record with their levels, or adds shares to many (docs/product/sharing.md, Share dialog). */
export function ShareDialog<L extends string>({
  what,
  levels,
  record,
  warning,
  submit,
  onClose,
}: ShareDialogProps<L>): ReactNode {
  const directory = useQuery(directoryQuery);
  const [base, setBase] = useState(record);
  const known = base?.sharedWith ?? [];
  const removesAll = (shares: readonly Share<L>[]): boolean => shares.length === 0 && known.length > 0;
  const [isOvertaken, setIsOvertaken] = useState(false);

  const form = useForm<{ sharedWith: readonly Share<L>[] }>({
    initial: { sharedWith: givenShares(known) },
    failed: texts.failed,
    validate: ({ sharedWith }) =>
      sharedWith.length > 0 || removesAll(sharedWith) ? {} : { sharedWith: texts.chooseUser },
    submit: async ({ sharedWith }) => {
      setIsOvertaken(false);
      try {
        await submit([...sharedWith], base?.version);
        onClose();
      } catch (thrown) {
        if (!(thrown instanceof ApiError && thrown.code === 'CONFLICT')) throw thrown;
        const current = thrown.current as SharedRecord<L>;
        setBase(current);
        if (isSameSharing(current.sharedWith, known)) {
          // Another field of the record has changed, which does not concern the shares.
          await submit([...sharedWith], current.version);
          onClose();
          return;
        }
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
        directory={directory}
        known={known}
        ownerId={record?.owner}
        warning={warning}
        value={sharedWith}
        onChange={(shares) => form.set('sharedWith', shares)}
        error={errorWithin(form.errors, 'sharedWith')}
      />
    </FormModal>
  );
}
