import type { Ability } from '@forecourt/contract/route';
import type { Status } from '@forecourt/contract/statuses';
import { formatCount } from '../../platform/formats.ts';
import { texts } from '../../texts/statuses.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { orderColumn } from '../../ui/ordering/OrderHandle.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { StatusChip } from './StatusChip.tsx';

const stateOf = ({ active }: Status): string => (active ? texts.active : texts.inactive);

const ruleColumn = (id: 'isDefault' | 'isClosed', header: string): DataColumn<Status> => ({
  id,
  header,
  width: '110px',
  sortBy: (status) => Number(!status[id]),
  filterBy: { kind: 'choice', of: (status) => (status[id] ? texts.yes : texts.no) },
  render: ({ [id]: is }) => is && <StatusBadge tone="accent">{header}</StatusBadge>,
  wideOnly: true,
});

/** The table of statuses, each as deals show it. */
export const statusColumns = (reorder: Ability): readonly DataColumn<Status>[] => [
  orderColumn(reorder),
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    filterBy: { kind: 'text', of: ({ name }) => name },
    render: ({ name, color }) => <StatusChip color={color}>{name}</StatusChip>,
  },
  ruleColumn('isDefault', texts.default),
  ruleColumn('isClosed', texts.closed),
  {
    id: 'status',
    header: texts.status,
    width: '110px',
    sortBy: stateOf,
    filterBy: { kind: 'choice', of: stateOf },
    render: (status) => (
      <StatusBadge tone={status.active ? 'good' : 'neutral'}>{stateOf(status)}</StatusBadge>
    ),
  },
  {
    id: 'usage',
    header: texts.usage,
    width: '100px',
    align: 'right',
    sortBy: ({ usage }) => usage,
    filterBy: { kind: 'number', of: ({ usage }) => usage },
    render: ({ usage }) => formatCount(usage),
    wideOnly: true,
  },
];
