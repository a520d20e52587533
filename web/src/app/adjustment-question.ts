import { createAdjustmentAnswers } from '../platform/adjustments.ts';
import { createStore } from '../platform/external-store.ts';
import { mayCloseMonths } from '../platform/permission-set.ts';
import { currentPermissions } from '../platform/permissions.ts';
import { currentSession, subscribeSession } from '../platform/session.ts';

/** The open question for the reason of a change in a closed month. */
export type AdjustmentQuestion = {
  /** Undefined if the server did not name it. */
  readonly month: string | undefined;
  /** The last reason of this user, to be changed or used again. */
  readonly lastReason: string;
  /** @param reason null: the change is not saved */
  readonly answer: (reason: string | null) => void;
};

export const adjustmentQuestion = createStore<AdjustmentQuestion | null>(null);

let lastReason = '';

/** Asks people who may close months. */
function ask(month: string | undefined): Promise<string | null> {
  if (!mayCloseMonths(currentPermissions())) return Promise.resolve(null);
  return new Promise((resolve) => {
    adjustmentQuestion.set({
      month,
      lastReason,
      answer(reason) {
        adjustmentQuestion.set(null);
        lastReason = reason ?? lastReason;
        resolve(reason);
      },
    });
  });
}

/** Returns the reason of a change that is refused because its month is closed; null: it is not made. */
export const answerTo = createAdjustmentAnswers(({ closedMonth }) => ask(closedMonth?.month));

/** Ends the question with the session. Returns a function that ends this. */
export const endWithSession = (): (() => void) =>
  subscribeSession(() => {
    if (currentSession().authenticated) return;
    lastReason = '';
    adjustmentQuestion.get()?.answer(null);
  });
