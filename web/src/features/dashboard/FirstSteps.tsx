import { CloseButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Check from 'lucide-react/icons/check';
import { useId, type ReactNode, useEffect } from 'react';
import { recordTourMark, useTourMarks } from '../../platform/demo-tour.ts';
import { useLiveQuery, useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/dashboard.ts';
import { demoKey, useDemo } from '../demo/demo.queries.ts';
import { type StartSteps, type StartStep, startStepsQuery } from './dashboard.queries.ts';
import styles from './FirstSteps.module.css';

type Step = {
  readonly id: string;
  readonly content: { readonly title: string; readonly text: string; readonly action: string };
  readonly isDone: boolean;
  readonly to: string;
  /** Marks a step as done that nothing in the data shows as done. */
  readonly onDone?: () => void;
};

type StepsCardProps = { title: string; note: string; steps: readonly Step[] };

/** Steps with links; the next one is highlighted. Shown until all are done or the user closes the card. */
function StepsCard({ title, note, steps }: StepsCardProps): ReactNode {
  const titleId = useId();
  const isHidden = useTourMarks().includes('hidden');
  if (isHidden || steps.every(({ isDone }) => isDone)) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section className="ui-card ui-mb-5" aria-labelledby={titleId}>
      <header className="ui-line ui-top ui-gap-4 ui-between ui-pad">
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
          <CloseButton size="sm" aria-label={texts.hideSteps} onClick={() => recordTourMark('hidden')} />
        </div>
      </header>
      <ol>
        {steps.map((step, index) => (
          <li
            key={step.id}
            className={`ui-line ui-gap-3 ui-foot ${styles.step}`}
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

const screenOf: Record<StartStep, string> = {
  emailSettings: paths.emailSettings,
  template: paths.newTemplate,
  dealership: paths.dealerships,
  items: paths.items,
  rates: paths.generalSettingsOf('company'),
  colleagues: paths.users,
  deal: paths.dataEntry,
  email: paths.dataEntry,
};

/** Record kinds that the set-up steps depend on, in addition to those of the dashboard. */
const setUpOf = ['email-settings', 'email-template', 'dealership', 'item', 'setting', 'user'] as const;

/** The steps from an empty system to the first email. */
function GettingStarted({ steps: all }: { steps: StartSteps }): ReactNode {
  const steps = all.map(([id, isDone]) => ({ id, isDone, to: screenOf[id], content: texts.steps[id] }));
  return <StepsCard title={texts.startTitle} note={texts.startNote} steps={steps} />;
}

type Tried = { hasTypedRow: boolean; hasSentEmail: boolean };

function DemoTour({ tried }: { tried: Tried }): ReactNode {
  const permissions = usePermissions();
  const marks = useTourMarks();
  useLiveRefresh('deal', demoKey);
  useLiveRefresh('email', demoKey);
  useEffect(() => {
    if (viewing !== null) recordTourMark('viewAs');
  }, []);

  const has = (mark: string): boolean => marks.includes(mark);
  const step = (id: keyof typeof texts.tour, to: string, isDone: boolean): Step => ({
    id,
    to,
    isDone,
    content: texts.tour[id],
  });
  const steps: Step[] = [
    step('row', paths.dataEntry, tried.hasTypedRow),
    { ...step('paste', paths.dataEntry, has('paste')), onDone: () => recordTourMark('paste') },
    step('email', paths.dataEntry, tried.hasSentEmail),
    step('read', paths.mailbox, has('read')),
    // Administrators have this step, and see this page as the other user while they take it.
    ...(permissions.isAdmin || viewing !== null ? [step('viewAs', paths.permissions, has('viewAs'))] : []),
  ];
  return <StepsCard title={texts.tourTitle} note={texts.tourNote} steps={steps} />;
}

/** The set-up steps for an administrator, or the tour of a demo. `isKnown`: whether there is a card is decided. */
export function useFirstSteps(): { isKnown: boolean; card: ReactNode } {
  const { isAdmin, isLoaded } = usePermissions();
  const demo = useDemo();
  const setsUp = demo?.isDemo === false && isAdmin;
  const { data: steps, isPending } = useLiveQuery({ ...startStepsQuery, enabled: setsUp }, setUpOf);
  if (demo?.isDemo) return { isKnown: true, card: <DemoTour tried={demo} /> };
  if (!setsUp) return { isKnown: isLoaded && demo !== undefined, card: null };
  return { isKnown: !isPending, card: steps && <GettingStarted steps={steps} /> };
}
