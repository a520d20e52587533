import { kindsWith, recordKinds } from '@forecourt/contract/record-kinds';
import type { Belongings, User, DirectoryPerson } from '@forecourt/contract/users';
import { Button, Loader, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { directoryQuery } from '../../platform/directory.ts';
import { formatCount, formatPlural } from '../../platform/formats.ts';
import { texts } from '../../texts/users.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { AccessWarning } from '../../ui/sharing/AccessWarning.tsx';
import { useOwnerWarning } from '../../ui/sharing/use-level-warning.ts';
import { required, type useForm } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { belongingsQuery, useTransferAll } from './users.queries.ts';
import styles from './TransferAll.module.css';

/** An empty text is no choice. */
type TransferValues = {
  targetUserId: string;
  keepSharing: boolean;
  deactivate: boolean;
  reason: string;
};

/** The kinds of records that a user owns. */
const kinds = [
  ...kindsWith('owned'),
  { ...recordKinds.deal, owned: 'deals' },
  { owned: 'dealViews', one: 'shared view', many: 'Shared views' },
] as const;

/** Returns `2 dealerships and 120 deals`; empty if the user owns nothing. */
export const formatBelongings = (owned: Belongings): string =>
  new Intl.ListFormat('en-AU').format(
    kinds.flatMap((kind) => (owned[kind.owned] > 0 ? formatPlural(owned[kind.owned], kind.one) : [])),
  );

/** Returns the changes as sentences. */
export function reviewOf(
  { name, isActive }: Pick<User, 'name' | 'isActive'>,
  newOwner: string,
  owned: Belongings,
  { keepSharing, deactivate, reason }: TransferValues,
): string[] {
  const text = reason.trim();
  return [
    texts.reviewMove(formatBelongings(owned), name, newOwner),
    keepSharing ? texts.reviewKeeps(name) : texts.reviewLoses(name),
    ...(isActive ? [deactivate ? texts.reviewDeactivates(name) : texts.reviewStays(name)] : []),
    ...(text === '' ? [] : [texts.reviewReason(text)]),
  ];
}

const STEPS = 3;

type TransferAllProps = { user: User; onClose: () => void };

/**
 * Transfers all records of a leaver to another user, step by step; nothing changes before the last step
 * (docs/product/people-and-permissions.md, Transfer what a person owns).
 */
export function TransferAll({ user, onClose }: TransferAllProps): ReactNode {
  const belongings = useQuery(belongingsQuery(user._id));
  const directory = useQuery(directoryQuery);
  const transfer = useTransferAll();
  const [step, setStep] = useState(1);
  const [moved, setMoved] = useState<Belongings | null>(null);

  const form = useRecordForm({
    valuesOf: (): TransferValues => ({ targetUserId: '', keepSharing: false, deactivate: false, reason: '' }),
    schema: 'transferAll',
    // Checked before the last step, which has no fields.
    validate: required<TransferValues>({ targetUserId: texts.newOwnerRequired }),
    failed: texts.transferFailed,
    submit: async (): Promise<void> => (step < STEPS ? setStep(step + 1) : form.save()),
    save: async (body, idempotencyKey) =>
      setMoved(await transfer.mutateAsync({ params: { id: user._id }, body, idempotencyKey })),
  });

  const people = (directory.data?.items ?? []).filter(({ _id }) => _id !== user._id);
  const newOwner = people.find(({ _id }) => _id === form.values.targetUserId);
  const owned = belongings.data;
  const isDone = moved !== null;

  // The focused button is unmounted by then.
  const doneButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isDone) doneButton.current?.focus();
  }, [isDone]);

  return (
    <Dialog
      title={texts.transferTitle(user.name)}
      size="md"
      onClose={() => form.busy || onClose()}
      closeOnClickOutside={false}
    >
      <form onSubmit={form.onSubmit} noValidate>
        {owned && !isDone && (
          <p className="ui-quiet ui-mb-4" role="status">
            {texts.step(step, STEPS)}
          </p>
        )}
        <div className="ui-stack">
          <FormMessage text={form.message} />
          <Loaded
            of={[belongings, directory]}
            message={texts.belongingsFailed}
            loading={<Loader size={20} />}
          />
          {isDone && <p role="status">{texts.transferred(formatBelongings(moved), newOwner?.name ?? '')}</p>}
          {owned && !isDone && (
            <>
              {step === 1 && <TransferSelection user={user} owned={owned} people={people} form={form} />}
              {step === 2 && <TransferOptions user={user} form={form} />}
              {step === 3 && newOwner && (
                <>
                  <p>{texts.review}</p>
                  <ul className={`ui-stack ui-gap-2 ${styles.review}`}>
                    {reviewOf(user, newOwner.name, owned, form.values).map((sentence) => (
                      <li key={sentence}>{sentence}</li>
                    ))}
                  </ul>
                </>
              )}
            </>
          )}
        </div>
        <div className="ui-line ui-end ui-mt-5">
          {isDone || (owned && formatBelongings(owned) === '') ? (
            <Button ref={doneButton} variant="default" data-autofocus onClick={onClose}>
              {texts.done}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={onClose} disabled={form.busy}>
                {texts.cancel}
              </Button>
              {step > 1 && (
                <Button variant="default" onClick={() => setStep(step - 1)} disabled={form.busy}>
                  {texts.back}
                </Button>
              )}
              <Button type="submit" loading={form.busy} disabled={!owned}>
                {step < STEPS ? texts.next : texts.transfer}
              </Button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}

type Form = ReturnType<typeof useForm<TransferValues>>;

type WhatProps = { user: User; owned: Belongings; people: readonly DirectoryPerson[]; form: Form };

function TransferSelection({ user, owned, people, form }: WhatProps): ReactNode {
  const warning = useOwnerWarning();
  if (formatBelongings(owned) === '') return <p>{texts.ownsNothing(user.name)}</p>;
  return (
    <>
      <p>{texts.owns(user.name)}</p>
      <dl className={styles.counts}>
        {kinds.map((kind) => (
          <div key={kind.owned} className={styles.count}>
            <dt>{kind.many}</dt>
            <dd>{formatCount(owned[kind.owned])}</dd>
          </div>
        ))}
      </dl>
      <div>
        <Select
          label={texts.newOwner}
          withAsterisk
          searchable
          data-autofocus
          placeholder={texts.choosePerson}
          nothingFoundMessage={texts.nobodyFound}
          data={people.map(({ _id, name, email }) => ({ value: _id, label: `${name} (${email})` }))}
          {...form.choice('targetUserId')}
        />
        <AccessWarning text={owned.deals > 0 ? warning(form.values.targetUserId) : undefined} />
      </div>
    </>
  );
}

function TransferOptions({ user, form }: { user: User; form: Form }): ReactNode {
  return (
    <>
      <Switch
        label={texts.keepSharing(user.name)}
        description={texts.keepSharingHint}
        {...form.check('keepSharing')}
      />
      {user.isActive && (
        <Switch
          label={texts.alsoDeactivate(user.name)}
          description={texts.alsoDeactivateHint}
          {...form.check('deactivate')}
        />
      )}
      <TextInput label={texts.reason} description={texts.reasonHint} {...form.text('reason')} />
    </>
  );
}
