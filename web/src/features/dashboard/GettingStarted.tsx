import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { paths } from '../../platform/paths.ts';
import { texts } from '../../texts/dashboard.ts';
import { startStepsQuery, type StartStep } from './dashboard.queries.ts';
import { StepsCard } from './StepsCard.tsx';

const screenOf: Record<StartStep, string> = {
  emailSettings: paths.emailSettings,
  template: paths.newTemplate,
  dealership: paths.dealerships,
  deal: paths.dataEntry,
  email: paths.dataEntry,
};

/** The way from an empty system to the first email, gone once it has been walked. */
export function GettingStarted(): ReactNode {
  const { data } = useQuery(startStepsQuery);
  if (data === undefined || data.every(([, isDone]) => isDone)) return null;
  const steps = data.map(([id, isDone]) => ({ id, isDone, to: screenOf[id], words: texts.steps[id] }));
  return <StepsCard title={texts.startTitle} note={texts.startNote} steps={steps} />;
}
