import ReceiptText from 'lucide-react/icons/receipt-text';
import type { ReactNode } from 'react';
import { useLiveQuery } from '../../platform/live-events.ts';
import { useSession } from '../../platform/session.ts';
import { texts } from '../../texts/statements.ts';
import { ListScreen } from '../../ui/ListScreen.tsx';
import { statementsKey } from './months.queries.ts';
import { allColumns, ownColumns } from './statements.columns.tsx';
import { statedOn, statementsQuery } from './statements.queries.ts';

/** One's own statements of closed months; of those who may close months, all (docs/product/month-close.md, Statements). */
export default function StatementsScreen(): ReactNode {
  const { user } = useSession();
  const query = useLiveQuery(statementsQuery, statedOn, statementsKey);
  const rows = query.data?.items;
  const areOwn = rows?.every(({ recipientId }) => recipientId === user?.userId);
  return (
    <ListScreen
      texts={texts}
      query={query}
      name={areOwn ? 'own-statements' : 'statements'}
      columns={areOwn ? ownColumns : allColumns}
      rows={rows}
      rowKey={({ _id }) => _id}
      rowLabel={({ number, recipientName }) => `${recipientName} ${number}`}
      isMuted={({ isSuperseded }) => isSuperseded}
      icon={<ReceiptText />}
    />
  );
}
