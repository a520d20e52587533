import { CloseButton } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { recordTourMark, useTourMarks } from '../../platform/demo-tour.ts';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { viewing } from '../../platform/view-as.ts';
import { texts } from '../../texts/dashboard.ts';
import { demoKey } from '../demo/demo.queries.ts';
import { StepsCard, type Step } from './StepsCard.tsx';

type Tried = { hasTypedRow: boolean; hasSentEmail: boolean };

/** The tour of a demo: steps to try, until they are done or the user hides it. */
export function DemoTour({ tried }: { tried: Tried }): ReactNode {
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
    // Only an administrator can do it, and then sees this page as the other user.
    ...(permissions.isAdmin || viewing !== null ? [step('viewAs', paths.permissions, has('viewAs'))] : []),
  ];
  if (has('hidden') || steps.every(({ isDone }) => isDone)) return null;
  return (
    <StepsCard
      title={texts.tourTitle}
      note={texts.tourNote}
      steps={steps}
      aside={<CloseButton size="sm" aria-label={texts.hideTour} onClick={() => recordTourMark('hidden')} />}
    />
  );
}
