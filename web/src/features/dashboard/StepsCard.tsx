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
    <section className="ui-card ui-mb-5" aria-labelledby={titleId}>
      <header className={styles.head}>
        <div>
          <h2 id={titleId} className="ui-title">
            {title}
          </h2>
          <p className="ui-muted ui-mt-1">{note}</p>
        </div>
        <div className="ui-line ui-fixed">
          <span className={`ui-quiet ${styles.progress}`}>
            {texts.startProgress(steps.filter(({ isDone }) => isDone).length, steps.length)}
          </span>
          {aside}
        </div>
      </header>
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.id}
            className={`ui-line ui-gap-3 ${styles.step}`}
            data-done={step.isDone || undefined}
            data-next={step === next || undefined}
          >
            <span className={`ui-center ui-quiet ${styles.mark}`} aria-hidden="true">
              {step.isDone ? <Check size={14} strokeWidth={2.5} /> : index + 1}
            </span>
            <div className={`ui-grow ${styles.words}`}>
              <p className={`ui-bold ${styles.name}`}>
                {step.content.title}
                <span className="ui-hidden">{` (${step.isDone ? texts.done : texts.todo})`}</span>
              </p>
              <p className={`ui-muted ${styles.text}`}>{step.content.text}</p>
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
    <div className={`ui-line ui-gap-1 ui-fixed ${styles.actions}`}>
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
      <Link className={`ui-inline ${styles.link}`} to={to}>
        {content.action}
        <ArrowRight size={14} />
      </Link>
    </div>
  );
}
