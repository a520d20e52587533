import type { ReactNode } from 'react';
import { useDealOptions } from '../../platform/deal-options.ts';
import { mayCloseMonths } from '../../platform/permission-set.ts';
import { usePermissions } from '../../platform/permissions.ts';
import { texts } from '../../texts/closed-months.ts';
import { Notice } from '../../ui/Notice.tsx';

type ClosedMonthsProps = { months: readonly string[] };

/** Says before a change of rows of these months that some are closed. */
export function ClosedMonths({ months }: ClosedMonthsProps): ReactNode {
  const { data } = useDealOptions();
  const mayAdjust = mayCloseMonths(usePermissions());
  const closed = data?.closedMonths.filter((month) => months.includes(month)) ?? [];
  if (closed.length === 0) return null;
  return <Notice>{mayAdjust ? texts.adjustIn(closed) : texts.stayIn(closed)}</Notice>;
}
