import { Loader } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { texts } from '../texts/connection-test.ts';
import type { StepState } from './test-steps.ts';
import styles from './TestResult.module.css';

export type TestOutcome = {
  passed: boolean;
  title: string;
  message: string;
  steps: readonly { label: string; state: StepState }[];
};

const icons: Record<StepState, ReactNode> = { done: <Check />, failed: <X />, open: <Minus /> };

type TestResultProps = {
  busy: boolean;
  outcome: TestOutcome | null;
  /** Advice after a failure. */
  children?: ReactNode;
};

/** The steps of a connection test and its result. Empty before the first test. */
export function TestResult({ busy, outcome, children }: TestResultProps): ReactNode {
  return (
    <div role="status">
      {busy && (
        <p className="ui-line ui-muted">
          <Loader size={14} /> {texts.testing}
        </p>
      )}
      {!busy && outcome && (
        <div className={`ui-box ${outcome.passed ? 'ui-good' : 'ui-bad'}`}>
          <p className="ui-bold">{outcome.title}</p>
          <p>{outcome.message}</p>
          {children}
          <ol className={styles.steps} aria-label={texts.steps}>
            {outcome.steps.map(({ label, state }) => (
              <li key={label} className={`ui-line ui-small ${styles.step}`} data-state={state}>
                <span
                  className={`ui-center ui-muted ${styles.mark}`}
                  role="img"
                  aria-label={texts.states[state]}
                >
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
