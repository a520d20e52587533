import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useLiveRefresh } from '../../platform/live-events.ts';
import { paths } from '../../platform/paths.ts';
import { linkTo } from '../../platform/rows-link.ts';
import { texts } from '../../texts/reports.ts';
import { Notice } from '../../ui/Notice.tsx';
import { statementsKey } from '../months/months.queries.ts';
import { statedOn, statementsOfQuery } from '../months/statements.queries.ts';

type ClosedStatementNoticeProps = {
  /** Null for all people. */
  owner: string | null;
  month: string;
};

/** Shows for a closed month that its frozen statements exist, among those that the user may read. */
export function ClosedStatementNotice({ owner, month }: ClosedStatementNoticeProps): ReactNode {
  const { data } = useQuery(statementsOfQuery(month));
  useLiveRefresh(statedOn, statementsKey);
  const statements = (data?.items ?? []).filter(
    ({ kind, isSuperseded, recipientId }) =>
      kind === 'commission' && !isSuperseded && (owner === null || recipientId === owner),
  );
  const [first] = statements;
  if (first === undefined) return null;
  const isOne = statements.length === 1;
  const link = isOne ? linkTo(paths.closedStatement(first._id), {}) : linkTo(paths.monthClose, { month });
  return (
    <Notice
      action={
        <Button variant="default" renderRoot={(props) => <Link {...props} {...link} />}>
          {isOne ? texts.openFrozen : texts.openFrozenAll}
        </Button>
      }
    >
      {isOne ? texts.frozen(first.recipientName, month, first.number) : texts.frozenAll(month)}
    </Notice>
  );
}
