export type StepState = 'done' | 'failed' | 'open';

/**
 * Returns the state of each step of a connection test.
 * @param failedAt the failed step; null if all steps passed
 */
export function statesOf<S extends string>(
  steps: readonly S[],
  failedAt: string | null,
): { step: S; state: StepState }[] {
  const failed = failedAt === null ? steps.length : steps.findIndex((step) => step === failedAt);
  const stateOf = (index: number): StepState =>
    index === failed ? 'failed' : index < failed ? 'done' : 'open';
  return steps.map((step, index) => ({ step, state: stateOf(index) }));
}
