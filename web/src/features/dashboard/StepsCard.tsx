import { VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Check from 'lucide-react/icons/check';
import { useId, type ReactNode } from 'react';
import { texts } from '../../texts/dashboard.ts';
import styles from './StepsCard.module.css';

export type Step = {
  readonly id: string;
  readonly content: { readonly title: string; readonly text: string; readonly action: string };
  readonly isDone: boolean;
  /** The screen of the step. */
  readonly to: string;
  /** For a step that only the user can mark as done. */
  readonly onDone?: () => void;
};

type StepsCardProps = { title: string; note: string; steps: readonly Step[]; aside?: ReactNode };

/** Steps in order, each with a link; the next one is highlighted. */
export function StepsCard({ title, note, steps, aside }: StepsCardProps): ReactNode {
  const titleId = useId();
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <header className={styles.head}>
        <div>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          <p className={styles.note}>{note}</p>
        </div>
        <div className={styles.aside}>
          <span className={styles.progress}>
            {texts.startProgress(steps.filter(({ isDone }) => isDone).length, steps.length)}
          </span>
          {aside}
        </div>
      </header>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li
            key={step.id}
            className={styles.step}
            data-done={step.isDone || undefined}
            data-next={step === next || undefined}
          >
            <span className={styles.mark} aria-hidden="true">
              {step.isDone ? <Check size={14} strokeWidth={2.5} /> : index + 1}
            </span>
            <div className={styles.words}>
              <p className={styles.name}>
                {step.content.title}
                <VisuallyHidden>{` (${step.isDone ? texts.done : texts.todo})`}</VisuallyHidden>
              </p>
              <p className={styles.text}>{step.content.text}</p>
            </div>
            {!step.isDone && <StepLink step={step} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

function StepLink({ step: { to, content, onDone } }: { step: Step }): ReactNode {
  return (
    <div className={styles.actions}>
      {onDone && (
        <button
          type="button"
          className={styles.quiet}
          aria-label={texts.markDoneOf(content.title)}
          onClick={onDone}
        >
          {texts.markDone}
        </button>
      )}
      <Link className={styles.link} to={to}>
        {content.action}
        <ArrowRight size={14} />
      </Link>
    </div>
  );
}
