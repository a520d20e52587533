import Lock from 'lucide-react/icons/lock';
import type { ReactNode } from 'react';
import { mayCloseMonths } from '../../../platform/permission-set.ts';
import { usePermissions } from '../../../platform/permissions.ts';
import { texts } from '../../../texts/closed-months.ts';

/** The line above the rows of a closed month. */
export default function ClosedMonthLine({ month }: { month: string }): ReactNode {
  const mayAdjust = mayCloseMonths(usePermissions());
  return (
    <p className="ui-line ui-quiet">
      <Lock size={14} />
      {mayAdjust ? texts.adjust(month) : texts.stay(month)}
    </p>
  );
}
