import { Loader } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { texts } from '../texts/connection-test.ts';
import type { StepState } from './test-steps.ts';
import styles from './TestResult.module.css';

/** Result of a connection test: title, sentence and steps. */
export type TestOutcome = {
  passed: boolean;
  title: string;
  words: string;
  steps: readonly { label: string; state: StepState }[];
};

const icons: Record<StepState, ReactNode> = { done: <Check />, failed: <X />, open: <Minus /> };

type TestResultProps = {
  busy: boolean;
  outcome: TestOutcome | null;
  /** What to do about a failure. */
  children?: ReactNode;
};

/** The steps of a connection test and its result. Empty before the first test. */
export function TestResult({ busy, outcome, children }: TestResultProps): ReactNode {
  return (
    <div role="status">
      {busy && (
        <p className={styles.busy}>
          <Loader size={14} /> {texts.testing}
        </p>
      )}
      {!busy && outcome && (
        <div className={styles.root} data-failed={!outcome.passed || undefined}>
          <p className={styles.title}>{outcome.title}</p>
          <p className={styles.words}>{outcome.words}</p>
          {children}
          <ol className={styles.steps} aria-label={texts.steps}>
            {outcome.steps.map(({ label, state }) => (
              <li key={label} className={styles.step} data-state={state}>
                <span className={styles.mark} role="img" aria-label={texts.states[state]}>
                  {icons[state]}
                </span>
                {label}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}
