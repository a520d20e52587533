import type { Ability } from '@forecourt/contract/route';
import type { Status } from '@forecourt/contract/statuses';
import { formatCount } from '../../platform/formats.ts';
import { texts } from '../../texts/statuses.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { orderColumn } from '../../ui/ordering/OrderHandle.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { StatusChip } from './StatusChip.tsx';

const stateOf = ({ active }: Status): string => (active ? texts.active : texts.inactive);

/** The rules of a status, each in a column; on a phone below its name. */
const rules = [
  ['isDefault', texts.default],
  ['isClosed', texts.closed],
  ['countsForCommission', texts.counts],
] as const;

const ruleColumn = ([id, header]: (typeof rules)[number]): DataColumn<Status> => ({
  id,
  header,
  width: '110px',
  // Null: not decided yet, which counts.
  sortBy: (status) => Number(status[id] === false),
  filterBy: { kind: 'choice', of: (status) => (status[id] === false ? texts.no : texts.yes) },
  render: ({ [id]: is }) => is !== false && <StatusBadge tone="accent">{header}</StatusBadge>,
  wideOnly: true,
});

/** The columns of the statuses, each status as in deals. */
export const statusColumns = (reorder: Ability): readonly DataColumn<Status>[] => [
  orderColumn(reorder),
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    filterBy: { kind: 'text', of: ({ name }) => name },
    render: (status) => (
      <>
        <StatusChip color={status.color}>{status.name}</StatusChip>
        <span className="ui-row ui-gap-1 ui-phone-only">
          {rules
            // Null: not decided yet, which counts.
            .filter(([id]) => status[id] !== false)
            .map(([id, header]) => (
              <StatusBadge key={id} tone="accent">
                {header}
              </StatusBadge>
            ))}
          {!status.active && <StatusBadge>{stateOf(status)}</StatusBadge>}
        </span>
      </>
    ),
  },
  ...rules.map(ruleColumn),
  {
    id: 'status',
    header: texts.status,
    width: '110px',
    sortBy: stateOf,
    filterBy: { kind: 'choice', of: stateOf },
    render: (status) => (
      <StatusBadge tone={status.active ? 'good' : 'neutral'}>{stateOf(status)}</StatusBadge>
    ),
    wideOnly: true,
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
