import { Button, Loader, Modal } from '@mantine/core';
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { formatDateTime } from '../../platform/formats.ts';
import { copyTexts } from '../../texts/backup-copies.ts';
import { ActionButton } from '../../ui/ActionButton.tsx';
import { dialogSizes } from '../../ui/dialog-sizes.ts';
import { Loaded } from '../../ui/Loaded.tsx';
import { statesOf } from '../../ui/test-steps.ts';
import { TestResult, type TestOutcome } from '../../ui/TestResult.tsx';
import { toastFailed } from '../../ui/toasts.ts';

// What the settings of both destinations of copies share.

/** The steps of a connection test in their order, with their labels. */
type Steps = Readonly<Record<string, string>>;

/** `failedAt` is null if all steps passed. */
export const outcomeOf = (steps: Steps, failedAt: string | null, message: string): TestOutcome => ({
  passed: failedAt === null,
  title: failedAt === null ? copyTexts.verified : copyTexts.testFailed,
  message,
  steps: statesOf(Object.keys(steps), failedAt).map(({ step, state }) => ({ label: steps[step]!, state })),
});

type ConnectionTestProps = {
  steps: Steps;
  /** The code of a failed test, whose `step` names the failed step. */
  code: 'SSH_SERVER_REFUSED' | 'S3_REFUSED';
  failedBecause: (reason: string) => string;
  isFilled: boolean;
  busy: boolean;
  /** Tests the typed settings. Throws ApiError. */
  run: (acceptHostKey?: string) => Promise<{ details: string }>;
  onErrors: (errors: ApiError['errors']) => void;
  lastVerified: string | null;
  /** Facts above the button, as a description list. */
  facts?: ReactNode;
};

/** Tests the typed settings and shows the steps. A changed host key can be accepted. */
export function ConnectionTest(props: ConnectionTestProps): ReactNode {
  const { steps, code, failedBecause, isFilled, busy, run, onErrors, lastVerified, facts } = props;
  const [isRunning, setIsRunning] = useState(false);
  const [outcome, setOutcome] = useState<TestOutcome | null>(null);
  const [shownKey, setShownKey] = useState<string | null>(null);
  const result = useRef<HTMLDivElement>(null);
  // Scrolls to the result at the end of the form, which is longer than the screen.
  useEffect(() => {
    if (outcome !== null) result.current?.scrollIntoView({ block: 'nearest' });
  }, [outcome]);

  const tryOut = async (acceptHostKey?: string): Promise<void> => {
    setOutcome(null);
    setShownKey(null);
    setIsRunning(true);
    try {
      const { details } = await run(acceptHostKey);
      setOutcome(outcomeOf(steps, null, details));
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== code) {
        if (thrown instanceof ApiError) onErrors(thrown.errors);
        return toastFailed(thrown, copyTexts.testFailed);
      }
      const reason = thrown.details ?? thrown.message;
      toastFailed(null, failedBecause(reason));
      setOutcome(outcomeOf(steps, thrown.errors['step'] ?? '', reason));
      setShownKey(thrown.errors['hostKey'] ?? null);
    } finally {
      setIsRunning(false);
    }
  };

  return (
    <>
      <dl className="ui-facts">
        {facts}
        <dt>{copyTexts.lastVerified}</dt>
        <dd>{lastVerified === null ? copyTexts.never : formatDateTime(lastVerified)}</dd>
      </dl>
      <div>
        <ActionButton
          variant="default"
          loading={isRunning || busy}
          ability={isFilled || copyTexts.incomplete}
          onClick={() => void tryOut()}
        >
          {copyTexts.test}
        </ActionButton>
      </div>
      <div ref={result}>
        <TestResult busy={isRunning} outcome={outcome}>
          {shownKey !== null && (
            <div className="ui-stack ui-gap-2 ui-top ui-mt-2 ui-anywhere">
              <p>{copyTexts.shownKey(shownKey)}</p>
              <Button variant="default" color="danger" onClick={() => void tryOut(shownKey)}>
                {copyTexts.acceptKey}
              </Button>
            </div>
          )}
        </TestResult>
      </div>
    </>
  );
}

type SettingsLoaderProps<S> = {
  query: UseQueryOptions<S, Error, S>;
  title: string;
  failed: string;
  onClose: () => void;
  /** The form, once settings were loaded anew. */
  children: (settings: S) => ReactNode;
};

export function SettingsLoader<S>({
  query,
  title,
  failed,
  onClose,
  children,
}: SettingsLoaderProps<S>): ReactNode {
  const loading = useQuery(query);
  const { data, isFetchedAfterMount } = loading;
  if (data !== undefined && isFetchedAfterMount) return children(data);
  return (
    <Modal opened title={title} size={dialogSizes.lg} onClose={onClose}>
      <Loaded of={loading} message={failed}>
        <Loader size={16} />
      </Loaded>
    </Modal>
  );
}
