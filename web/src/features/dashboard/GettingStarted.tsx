import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/dashboard.ts';
import { startStepsQuery, type StartStep } from './dashboard.queries.ts';
import styles from './GettingStarted.module.css';

const screenOf: Record<StartStep, string> = {
  emailSettings: paths.emailSettings,
  template: paths.newTemplate,
  dealership: paths.dealerships,
  deal: paths.dataEntry,
  email: paths.dataEntry,
};

/** The way from an empty system to the first email, gone once it has been walked. */
export function GettingStarted(): ReactNode {
  const { data: steps } = useQuery(startStepsQuery);
  const done = steps?.filter(([, isDone]) => isDone).length ?? 0;
  if (steps === undefined || done === steps.length) return null;
  const next = steps.find(([, isDone]) => !isDone)?.[0];

  return (
    <section className={styles.card} aria-labelledby="getting-started">
      <header className={styles.head}>
        <div>
          <h2 id="getting-started" className={styles.title}>
            {texts.startTitle}
          </h2>
          <p className={styles.note}>{texts.startNote}</p>
        </div>
        <span className={styles.progress}>{texts.startProgress(done, steps.length)}</span>
      </header>
      <ol className={styles.steps}>
        {steps.map(([step, isDone], index) => (
          <li
            key={step}
            className={styles.step}
            data-done={isDone || undefined}
            data-next={step === next || undefined}
          >
            <span className={styles.mark} aria-hidden="true">
              {isDone ? <Check size={14} strokeWidth={2.5} /> : index + 1}
            </span>
            <div className={styles.words}>
              <p className={styles.name}>
                {texts.steps[step].title}
                <VisuallyHidden>{` (${isDone ? texts.done : texts.todo})`}</VisuallyHidden>
              </p>
              <p className={styles.text}>{texts.steps[step].text}</p>
            </div>
            {!isDone && (
              <Link className={styles.link} to={screenOf[step]}>
                {texts.steps[step].action}
                <ArrowRight size={14} />
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
