import type { CheckResult } from '@forecourt/contract/months';

type CheckState = 'open' | 'waived' | 'done';

export function stateOf({ count, waiver }: CheckResult): CheckState {
  if (count === 0) return 'done';
  return waiver !== null && waiver.rows >= count ? 'waived' : 'open';
}
