import type { RestoreBody, RestoreCheck, RestoreResult } from '@forecourt/contract/backups';
import { kindsWith } from '@forecourt/contract/record-kinds';
import { Loader, Modal, PasswordInput, TextInput, Button, Progress } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import { type ReactNode, useEffect, useState } from 'react';
import { messageOf } from '../../platform/api-error.ts';
import { formatCount, formatDateTime } from '../../platform/formats.ts';
import { jobQuery } from '../../platform/jobs.ts';
import { onLiveJob } from '../../platform/live-events.ts';
import { texts } from '../../texts/backups.ts';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import { FormModal } from '../../ui/FormModal.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import '@mantine/core/styles/Progress.layer.css';
import { useForm } from '../../ui/use-form.ts';
import { useLeaveWarning } from '../../ui/use-leave-warning.ts';
import { restoreCheckQuery, restoreBackup } from './backups.queries.ts';
import styles from './Restore.module.css';

type RestoreDialogProps = {
  name: string;
  /** Starts the restore; the dialog is closed then. */
  onConfirm: (body: RestoreBody) => void;
  onClose: () => void;
};

/** Shows what a restore would add and remove, and confirms it (docs/product/backups.md, Check before a restore). */
export function RestoreDialog({ name, onConfirm, onClose }: RestoreDialogProps): ReactNode {
  const query = useQuery(restoreCheckQuery(name));
  const { data } = query;
  if (data) return <Confirm check={data} onConfirm={onConfirm} onClose={onClose} />;
  return (
    <Modal opened title={texts.restoreTitle} size={dialogSizes.lg} onClose={onClose}>
      <Loaded of={query} message={texts.restoreFailed}>
        <p className="ui-line ui-mt-2 ui-mb-4" role="status">
          <Loader size={16} /> {texts.reading}
        </p>
      </Loaded>
    </Modal>
  );
}

type ConfirmProps = { check: RestoreCheck } & Pick<RestoreDialogProps, 'onConfirm' | 'onClose'>;

function Confirm({ check, onConfirm, onClose }: ConfirmProps): ReactNode {
  const { name, createdAt, isOlder, signature, confirmName, missingFiles, counts, reactivated } = check;
  const form = useForm({
    initial: { secretKey: '', confirmName: '' },
    validate: (values) =>
      confirmName === null || values.secretKey.trim() !== '' || values.confirmName.trim() === confirmName
        ? {}
        : { confirmName: texts.typeNameRequired },
    submit: async (values) => {
      onConfirm({
        ...(values.secretKey.trim() !== '' && { secretKey: values.secretKey.trim() }),
        ...(values.confirmName.trim() !== '' && { confirmName: values.confirmName.trim() }),
        ...(missingFiles > 0 && { withoutFiles: true }),
      });
    },
  });

  return (
    <FormModal
      title={texts.restoreTitle}
      size="lg"
      form={form}
      submitLabel={texts.restoreButton}
      destructive
      onClose={onClose}
    >
      <div>
        <p className="ui-strong ui-anywhere">{texts.restoreOf(name)}</p>
        {createdAt !== null && <p>{texts.madeAt(formatDateTime(createdAt))}</p>}
        {isOlder && <p>{texts.older}</p>}
        {signature === 'unsigned' && <p>{texts.unsigned}</p>}
      </div>
      <Counts counts={counts} />
      {reactivated.length > 0 && (
        <div className="ui-notice">
          <p>{texts.reactivated}</p>
          <ul className="ui-bullets ui-mt-1">
            {reactivated.map(({ email, name: person }) => (
              <li key={email}>{`${person} (${email})`}</li>
            ))}
          </ul>
        </div>
      )}
      {missingFiles > 0 && <p className="ui-notice">{texts.missingFiles(missingFiles)}</p>}
      <p className="ui-muted">{texts.consequences}</p>
      {confirmName !== null && (
        <>
          {signature === 'foreign' && (
            <>
              <p className="ui-notice">{texts.foreignNote}</p>
              <PasswordInput
                label={texts.secretKey}
                description={texts.secretKeyNote}
                autoComplete="off"
                {...form.text('secretKey')}
              />
            </>
          )}
          <TextInput
            label={texts.typeName(confirmName)}
            autoComplete="off"
            spellCheck={false}
            {...form.text('confirmName')}
          />
        </>
      )}
    </FormModal>
  );
}

const amounts = ['comesBack', 'disappears', 'changes', 'inBackup'] as const;

const kindText = (kind: RestoreCheck['counts'][number]['kind']): string | undefined =>
  kind === 'closedMonths'
    ? texts.closedMonths
    : kindsWith('compared').find(({ compared }) => compared === kind)?.many;

function Counts({ counts }: { counts: RestoreCheck['counts'] }): ReactNode {
  return (
    <table className={`ui-table ${styles.counts}`} data-figures aria-label={texts.countsTable}>
      <thead>
        <tr>
          <th scope="col">{texts.kind}</th>
          {amounts.map((amount) => (
            <th key={amount} scope="col">
              {texts[amount]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {counts.map((count) => (
          <tr key={count.kind}>
            <th scope="row">{kindText(count.kind)}</th>
            {amounts.map((amount) => (
              <td key={amount} data-what={count[amount] > 0 ? amount : undefined}>
                {formatCount(count[amount])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type RestoreResultDialogProps = {
  restore: Extract<Restore, { phase: 'succeeded' | 'failed' }>;
  onRefresh: () => void;
  onClose: () => void;
};

export function RestoreResultDialog({ restore, onRefresh, onClose }: RestoreResultDialogProps): ReactNode {
  const isDone = restore.phase === 'succeeded';
  return (
    <Modal
      opened
      title={isDone ? texts.successTitle : texts.failedTitle}
      size={dialogSizes.md}
      onClose={onClose}
    >
      <div className="ui-line ui-top ui-gap-3">
        {isDone ? (
          <CircleCheck className={`ui-success ${styles.mark}`} />
        ) : (
          <CircleX className={`ui-danger ${styles.mark}`} />
        )}
        <div className="ui-stack ui-gap-2 ui-anywhere">
          {sentencesOf(restore).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      </div>
      <div className="ui-row ui-end ui-mt-5">
        <Button
          variant="default"
          onClick={() => {
            onRefresh();
            onClose();
          }}
        >
          {texts.refresh}
        </Button>
        <Button data-autofocus onClick={onClose}>
          {texts.close}
        </Button>
      </div>
    </Modal>
  );
}

function sentencesOf(restore: RestoreResultDialogProps['restore']): string[] {
  if (restore.phase === 'failed') return [restore.message, texts.nothingChanged];
  const { rows, preRestoreBackup, heldEmails, notConfigured } = restore.result;
  return [
    texts.restored(rows),
    texts.preRestoreBackup(preRestoreBackup),
    ...(heldEmails > 0 ? [texts.held(heldEmails)] : []),
    ...(notConfigured ? [texts.notConfigured] : []),
  ];
}

/** Time until the overlay shows the second message, in milliseconds (docs/product/limits.md, Backup limits). */
const SWITCH_MS = 2000;

/** Covers the screen during a restore: blocks all actions, and warns before the page is closed. */
export function RestoreOverlay(): ReactNode {
  const [isRestoring, setIsRestoring] = useState(false);
  const percent = useRestorePercent();
  const leaveWarning = useLeaveWarning(true);
  useEffect(() => leaveWarning?.reset(), [leaveWarning]);
  useEffect(() => {
    const timer = setTimeout(() => setIsRestoring(true), SWITCH_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <Modal
      opened
      centered
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      aria-label={texts.overlay}
    >
      <div className="ui-stack ui-gap-3 ui-centered ui-pad">
        <Loader size={28} />
        <p className="ui-strong" role="status">
          {isRestoring ? texts.restoring : texts.preRestore}
        </p>
        {percent !== null && <Progress w="100%" maw={280} value={percent} aria-label={texts.overlay} />}
        <p className="ui-muted">{texts.stay}</p>
      </div>
    </Modal>
  );
}

/** Returns the progress of the user's restore; null if unknown. */
function useRestorePercent(): number | null {
  const [jobId, setJobId] = useState<string | null>(null);
  const { data } = useQuery({ ...jobQuery(jobId ?? ''), enabled: jobId !== null });
  const isFound = data?.kind === 'restore';
  useEffect(() => (isFound ? undefined : onLiveJob(setJobId)), [isFound]);
  return isFound ? data.percent : null;
}

/** Minimum time for which the overlay is visible, in milliseconds (docs/product/limits.md, Backup limits). */
const OVERLAY_MS = 5000;

type Restore =
  | { phase: 'none' }
  | { phase: 'running' }
  | { phase: 'succeeded'; result: RestoreResult }
  | { phase: 'failed'; message: string };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Controls a restore from its confirmation to the result (docs/product/backups.md, Backups screen). */
export function useRestore() {
  const client = useQueryClient();
  const [restore, setRestore] = useState<Restore>({ phase: 'none' });

  const run = async (name: string, body: RestoreBody): Promise<void> => {
    setRestore({ phase: 'running' });
    const outcome = restoreBackup(name, body).then(
      (result): Restore => ({ phase: 'succeeded', result }),
      (thrown: unknown): Restore => ({ phase: 'failed', message: messageOf(thrown, texts.restoreFailed) }),
    );
    const [ended] = await Promise.all([outcome, pause(OVERLAY_MS)]);
    setRestore(ended);
    await client.invalidateQueries();
  };

  return { restore, run, close: (): void => setRestore({ phase: 'none' }) };
}
