import type { ReactNode } from 'react';
import { useMay } from '../../platform/permissions.ts';
import { useDemo } from '../demo/demo.queries.ts';
import { DemoTour } from './DemoTour.tsx';
import { GettingStarted } from './GettingStarted.tsx';

/** What is left to set up, for an administrator; a demo is set up, and shows everybody what to try. */
export function FirstSteps(): ReactNode {
  const may = useMay();
  const demo = useDemo();
  if (demo?.isDemo) return <DemoTour tried={demo} />;
  return demo && may.admin && <GettingStarted />;
}
