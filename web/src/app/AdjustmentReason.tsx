import { Suspense, useEffect, type ReactNode } from 'react';
import { useStore } from '../platform/external-store.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { adjustmentQuestion, endWithSession } from './adjustment-question.ts';

const AdjustmentDialog = lazyPart(() => import('./AdjustmentDialog.tsx'));

/** Asks for the reason of a change in a closed month, above all screens and their dialogs. */
export default function AdjustmentReason(): ReactNode {
  const question = useStore(adjustmentQuestion);
  useEffect(endWithSession, []);
  return <Suspense>{question && <AdjustmentDialog {...question} />}</Suspense>;
}
