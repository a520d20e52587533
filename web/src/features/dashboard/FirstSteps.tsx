import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePermissions } from '../../platform/permissions.ts';
import { useDemo } from '../demo/demo.queries.ts';
import { startStepsQuery } from './dashboard.queries.ts';
import { DemoTour } from './DemoTour.tsx';
import { GettingStarted } from './GettingStarted.tsx';

/**
 * The set-up steps for an administrator; in a demo, the tour for every user. `isKnown`: whether there is a card has been
 * decided.
 */
export function useFirstSteps(): { isKnown: boolean; card: ReactNode } {
  const { isAdmin, isLoaded } = usePermissions();
  const demo = useDemo();
  const setsUp = demo?.isDemo === false && isAdmin;
  const { data: steps, isPending } = useQuery({ ...startStepsQuery, enabled: setsUp });
  if (demo?.isDemo) return { isKnown: true, card: <DemoTour tried={demo} /> };
  if (!setsUp) return { isKnown: isLoaded && demo !== undefined, card: null };
  return { isKnown: !isPending, card: steps && <GettingStarted steps={steps} /> };
}
