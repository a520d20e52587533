import { Loader } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { texts } from '../../texts/email-settings.ts';
import { stepStates, type StepState } from './settings-values.ts';
import styles from './TestResult.module.css';

/** How a connection test ended: at which step, null for none, and a sentence about it. */
export type TestOutcome = { failedAt: string | null; words: string };

const icons: Record<StepState, ReactNode> = { done: <Check />, failed: <X />, open: <Minus /> };

/** The steps of a connection test and where it ended. Nothing before the first test. */
export function TestResult({ busy, outcome }: { busy: boolean; outcome: TestOutcome | null }): ReactNode {
  return (
    <div role="status">
      {busy && (
        <p className={styles.busy}>
          <Loader size={14} /> {texts.testing}
        </p>
      )}
      {!busy && outcome && (
        <div className={styles.root} data-failed={outcome.failedAt !== null || undefined}>
          <p className={styles.title}>{outcome.failedAt === null ? texts.verified : texts.verifyFailed}</p>
          <p className={styles.words}>{outcome.words}</p>
          <ol className={styles.steps} aria-label={texts.stepsLabel}>
            {stepStates(outcome.failedAt).map(({ step, state }) => (
              <li key={step} className={styles.step} data-state={state}>
                <span className={styles.mark} role="img" aria-label={texts.stepStates[state]}>
                  {icons[state]}
                </span>
                {texts.steps[step]}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}
