import type { ApiError } from './api-error.ts';
import type { NewChangeSet } from './ids.ts';

/** How long an answer applies to further calls of its change set, from its last use, in milliseconds. */
const REASON_MS = 60_000;
/** Short, so that a later attempt asks again; long enough for the other requests of a fill. */
const CANCELLED_MS = 5000;

type Answer = string | null;

/** A bare `edit` is the change set of all edits of a minute, which have reasons of their own. */
const isNamed = (changeSet: NewChangeSet): boolean => changeSet.includes(' ');

/**
 * Returns a function that asks why money changes in a closed month: once for all calls of a change set to this month that
 * are refused meanwhile and soon after, and one question after the other (docs/product/month-close.md, After the close).
 * @param ask resolves to null if the user may not change the month, or cancels
 */
export function createAdjustmentAnswers(ask: (error: ApiError) => Promise<Answer>) {
  let last: Promise<unknown> = Promise.resolve();
  const asking = new Map<string, Promise<Answer>>();
  const answers = new Map<string, { answer: Answer; until: number }>();

  function askFor(name: string, error: ApiError): Promise<Answer> {
    const asked = last.then(() => ask(error)).finally(() => asking.delete(name));
    last = asked;
    asking.set(name, asked);
    return asked;
  }

  return async (error: ApiError, changeSet: NewChangeSet): Promise<Answer> => {
    const now = performance.now();
    for (const [name, { until }] of answers) if (until < now) answers.delete(name);
    const name = `${error.closedMonth?.month} ${changeSet}`;
    const earlier = answers.get(name);
    const answer = earlier ? earlier.answer : await (asking.get(name) ?? askFor(name, error));
    const forMs = answer === null ? CANCELLED_MS : REASON_MS;
    if (isNamed(changeSet)) answers.set(name, { answer, until: performance.now() + forMs });
    return answer;
  };
}
