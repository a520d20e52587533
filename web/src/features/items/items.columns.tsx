import type { Item } from '@forecourt/contract/items';
import type { Ability } from '@forecourt/contract/route';
import { formatCount, formatMoney } from '../../platform/formats.ts';
import { texts } from '../../texts/items.ts';
import { texts as sharing } from '../../texts/sharing.ts';
import type { DataColumn } from '../../ui/DataTable.tsx';
import { orderColumn } from '../../ui/ordering/OrderHandle.tsx';
import { SharedWith } from '../../ui/sharing/SharedWith.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { shareLevels } from './item-shares.ts';

type ColumnsOptions = { reorder: Ability; onShare: (item: Item) => void };

const statusOf = ({ active }: Item): string => (active ? texts.active : texts.inactive);

const inOneLine = ({ category, price, active }: Item): string =>
  [category, price === null ? '' : formatMoney(price), active ? '' : texts.inactive]
    .filter(Boolean)
    .join(' · ');

/** The columns of the items. On a phone category, price and status are below the name. */
export const itemColumns = ({ reorder, onShare }: ColumnsOptions): readonly DataColumn<Item>[] => [
  orderColumn(reorder),
  {
    id: 'name',
    header: texts.name,
    sortBy: ({ name }) => name,
    filterBy: { kind: 'text', of: ({ name }) => name },
    render: (item) => (
      <div className="ui-stack ui-gap-0">
        <span className="ui-strong">{item.name}</span>
        <span className="ui-sub ui-phone-only">{inOneLine(item)}</span>
      </div>
    ),
  },
  {
    id: 'category',
    header: texts.category,
    sortBy: ({ category }) => category,
    filterBy: { kind: 'choice', of: ({ category }) => category || null },
    render: ({ category }) => category,
    wideOnly: true,
  },
  amountColumn('price'),
  amountColumn('cost'),
  {
    id: 'status',
    header: texts.status,
    width: '110px',
    sortBy: statusOf,
    filterBy: { kind: 'choice', of: statusOf },
    render: (item) => <StatusBadge tone={item.active ? 'good' : 'neutral'}>{statusOf(item)}</StatusBadge>,
    wideOnly: true,
  },
  {
    id: 'usage',
    header: texts.usage,
    width: '90px',
    align: 'right',
    sortBy: ({ usage }) => usage,
    filterBy: { kind: 'number', of: ({ usage }) => usage },
    render: ({ usage }) => formatCount(usage),
    wideOnly: true,
  },
  {
    id: 'sharedWith',
    header: sharing.sharedWith,
    width: '130px',
    sortBy: ({ sharedWith }) => sharedWith.length,
    render: (item) => <SharedItem item={item} onShare={onShare} />,
    wideOnly: true,
  },
];

function amountColumn(id: 'price' | 'cost'): DataColumn<Item> {
  return {
    id,
    header: texts[id],
    width: '120px',
    align: 'right',
    sortBy: (item) => item[id],
    filterBy: { kind: 'number', of: (item) => item[id] },
    render: ({ [id]: amount }) =>
      amount === null ? <span className="ui-quiet">{texts.open}</span> : formatMoney(amount),
    wideOnly: true,
  };
}

/** Users who may not share see their own share only. */
function SharedItem({ item, onShare }: { item: Item; onShare: (item: Item) => void }) {
  const { abilities, sharedWith } = item;
  if (abilities.share === true)
    return <SharedWith shares={sharedWith} levels={shareLevels} onOpen={() => onShare(item)} />;
  return sharedWith.map(({ userId, permissions }) => (
    <span key={userId}>{texts.sharedWithYou(sharing.levels[permissions])}</span>
  ));
}
