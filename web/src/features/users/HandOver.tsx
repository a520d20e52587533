import type { Belongings, User } from '@forecourt/contract/users';
import { Button, Loader, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import '../../ui/styles-dialog.ts';
import { texts } from '../../texts/users.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import { FormMessage } from '../../ui/FormMessage.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { schemas } from '../../ui/schemas.ts';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import type { FieldErrors } from '../../ui/use-form.ts';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { belongingsInWords, type HandOverValues } from './hand-over-words.ts';
import { HandOverHow, HandOverReview, HandOverWhat } from './HandOverSteps.tsx';
import { belongingsQuery, directoryQuery, useTransferAll } from './users.queries.ts';
import styles from './HandOver.module.css';

const STEPS = 3;

type HandOverProps = { user: User; onClose: () => void };

/**
 * Transfers all records of a leaver to another user, step by step; nothing is changed before the last step
 * (docs/product/people-and-permissions.md, Hand over what a person owns).
 */
export function HandOver({ user, onClose }: HandOverProps): ReactNode {
  useFocusBack();
  const belongings = useQuery(belongingsQuery(user._id));
  const directory = useQuery(directoryQuery);
  const transfer = useTransferAll();
  const [step, setStep] = useState(1);
  const [moved, setMoved] = useState<Belongings | null>(null);

  const form = useRecordForm({
    record: undefined,
    valuesOf: (): HandOverValues => ({ targetUserId: '', keepSharing: false, deactivate: false, reason: '' }),
    schema: schemas.transferAll,
    // Validated before the last step, which has no fields.
    validate: ({ targetUserId }) =>
      targetUserId === '' ? { targetUserId: texts.newOwnerRequired } : ({} as FieldErrors),
    failed: texts.transferFailed,
    submit: async (): Promise<void> => (step < STEPS ? setStep(step + 1) : form.save()),
    save: async (body, idempotencyKey) =>
      setMoved(await transfer.mutateAsync({ id: user._id, transfer: body, idempotencyKey })),
  });

  const people = (directory.data?.items ?? []).filter(({ _id }) => _id !== user._id);
  const heir = people.find(({ _id }) => _id === form.values.targetUserId);
  const owned = belongings.data;
  const isDone = moved !== null;

  // The button that was pressed is unmounted by then.
  const doneButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isDone) doneButton.current?.focus();
  }, [isDone]);

  return (
    <Modal
      opened
      title={texts.handOverTitle(user.name)}
      size={dialogSizes.md}
      onClose={() => form.busy || onClose()}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form onSubmit={form.onSubmit} noValidate>
        {owned && !isDone && (
          <p className={styles.step} role="status">
            {texts.step(step, STEPS)}
          </p>
        )}
        <div className={styles.fields}>
          <FormMessage text={form.message} />
          <Loaded
            of={[belongings, directory]}
            message={texts.belongingsFailed}
            loading={<Loader size={20} />}
          />
          {isDone && (
            <p className={styles.line} role="status">
              {texts.transferred(belongingsInWords(moved), heir?.name ?? '')}
            </p>
          )}
          {owned && !isDone && (
            <>
              {step === 1 && <HandOverWhat user={user} owned={owned} people={people} form={form} />}
              {step === 2 && <HandOverHow user={user} form={form} />}
              {step === 3 && heir && (
                <HandOverReview user={user} heir={heir} owned={owned} values={form.values} />
              )}
            </>
          )}
        </div>
        <div className={styles.actions}>
          {isDone || (owned && belongingsInWords(owned) === '') ? (
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
    </Modal>
  );
}
