import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/dashboard.ts';
import type { StartSteps, StartStep } from './dashboard.queries.ts';
import { StepsCard } from './StepsCard.tsx';

const screenOf: Record<StartStep, string> = {
  emailSettings: paths.emailSettings,
  template: paths.newTemplate,
  dealership: paths.dealerships,
  rates: paths.generalSettingsOf('company'),
  deal: paths.dataEntry,
  email: paths.dataEntry,
};

/** The steps from an empty system to the first email, hidden once all are done. */
export function GettingStarted({ steps: all }: { steps: StartSteps }): ReactNode {
  if (all.every(([, isDone]) => isDone)) return null;
  const steps = all.map(([id, isDone]) => ({ id, isDone, to: screenOf[id], content: texts.steps[id] }));
  return <StepsCard title={texts.startTitle} note={texts.startNote} steps={steps} />;
}
