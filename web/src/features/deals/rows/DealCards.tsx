import { Button } from '@mantine/core';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronRight from 'lucide-react/icons/chevron-right';
import MessageSquare from 'lucide-react/icons/message-square';
import Phone from 'lucide-react/icons/phone';
import Plus from 'lucide-react/icons/plus';
import { useMemo, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { displayText } from '../../../grid/grid.ts';
import { useStore } from '../../../platform/external-store.ts';
import { formatMoney } from '../../../platform/formats.ts';
import { useMenuGesture, type Point } from '../../../platform/use-menu-gesture.ts';
import { texts as formTexts } from '../../../texts/deal-form.ts';
import { texts } from '../../../texts/deals.ts';
import { texts as contactTexts } from '../../../texts/do-not-contact.ts';
import { texts as tableTexts } from '../../../texts/table.ts';
import { toggled } from '../../../ui/table/selection.ts';
import type { OpenDealMenu } from '../actions/DealMenu.tsx';
import { useDataEntry, useRow, type ShownGroups } from '../data-entry-context.ts';
import { contactsOf, isUnsaved, mailOf, phoneLink, rowName, valueOf } from '../deal-row.ts';
import { statusClass } from '../deals.columns.tsx';
import { findContact, rowMarks, dealInForm } from '../open-parts.ts';
import { newestFirst } from '../store/sort.ts';
import styles from './DealCards.module.css';

/** Number of cards displayed at first, and added by each press of the button. */
const STEP = 50;

/** The rows on a phone as cards, which open their pages and can be selected, and a form for a new row. */
export default function DealCards({ onMenu }: { onMenu: (menu: OpenDealMenu) => void }): ReactNode {
  const { deals, adding, groups, selected, setSelected } = useDataEntry();
  const grouped = useStore(groups);
  const { rows, table } = deals;
  const order = useSyncExternalStore(rows.subscribeOrder, rows.getOrder);
  const trailing = useStore(table.trailing);
  const [cardCount, setShown] = useState(STEP);
  const newest = useMemo(() => newestFirst(rows, order), [rows, order]);
  const blank = table.blankKey();
  const unsaved = trailing.filter((key) => key !== blank);
  // New rows are at the top, because cards have no blank row at the end.
  const entries = [...unsaved, ...(grouped ? entriesOf(grouped) : newest)];
  const isAll = newest.every((key) => selected.has(key));

  return (
    <div className={styles.root}>
      {adding === true ? (
        <Button
          fullWidth
          leftSection={<Plus />}
          onClick={() => blank !== null && dealInForm.set({ key: blank })}
        >
          {formTexts.addDeal}
        </Button>
      ) : (
        <p className="ui-quiet">{adding}</p>
      )}
      {newest.length > 0 && (
        <label className={`ui-line ui-gap-3 ${styles.all}`}>
          <input
            type="checkbox"
            checked={isAll}
            ref={(box) => {
              if (box) box.indeterminate = selected.size > 0 && !isAll;
            }}
            onChange={() => setSelected(new Set(isAll ? [] : newest))}
          />
          {texts.selectAll(newest.length)}
        </label>
      )}
      <ul className={`ui-stack ui-gap-2 ${styles.list}`} aria-label={texts.grid}>
        {entries
          .slice(0, cardCount)
          .map((key) =>
            grouped?.group(key) ? (
              <GroupHeading key={key} groupKey={key} grouped={grouped} />
            ) : (
              <DealCard
                key={key}
                rowKey={key}
                isSelected={selected.has(key)}
                onToggle={() => setSelected(toggled(selected, newest, key))}
                onMenu={(at) => onMenu({ target: { kind: 'row', key }, at })}
              />
            ),
          )}
      </ul>
      {entries.length > cardCount && (
        <Button variant="default" fullWidth onClick={() => setShown(cardCount + STEP)}>
          {texts.showMore}
        </Button>
      )}
    </div>
  );
}

/** Returns the heads of groups, each followed by its rows unless collapsed. */
const entriesOf = ({ list, rest }: ShownGroups): string[] => [
  ...list.flatMap(({ key, rows, isExpanded }) => (isExpanded ? [key, ...rows] : [key])),
  ...rest,
];

type GroupHeadingProps = { groupKey: string; grouped: ShownGroups };

/** The heading of a group, which collapses it, with a button for a new row. */
function GroupHeading({ groupKey, grouped }: GroupHeadingProps): ReactNode {
  const group = grouped.list.find(({ key }) => key === groupKey);
  if (!group) return null;
  const { isExpanded, addLabel } = group;
  return (
    <li className={styles.row}>
      <button
        type="button"
        className={styles.group}
        aria-expanded={isExpanded}
        onClick={() => grouped.toggle(groupKey, !isExpanded)}
      >
        {isExpanded ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
        {grouped.renderHead(groupKey)}
      </button>
      {addLabel !== null && (
        <button
          type="button"
          className={`ui-center ${styles.add}`}
          aria-label={addLabel}
          onClick={() => grouped.addAt(groupKey)}
        >
          <Plus size={16} />
        </button>
      )}
    </li>
  );
}

type DealCardProps = {
  rowKey: string;
  isSelected: boolean;
  onToggle: () => void;
  onMenu: (at: Point) => void;
};

function DealCard({ rowKey, isSelected, onToggle, onMenu }: DealCardProps): ReactNode {
  const { options, columns, openDeal } = useDataEntry();
  const row = useRow(rowKey);
  const card = useRef<HTMLButtonElement>(null);
  const menu = useMenuGesture((_, pointed) => {
    if (!card.current) return false;
    const { left, bottom } = card.current.getBoundingClientRect();
    // Focused, because the focus returns to the card when the menu closes, and touch does not focus it.
    card.current.focus({ preventScroll: true });
    onMenu(pointed ?? { x: left, y: bottom });
    return true;
  });
  const marks = useStore(rowMarks).get(rowKey);
  const find = useStore(findContact);
  if (row === undefined) return null;
  const call = phoneLink(row, find);
  const status = valueOf(row, 'status');
  const sale = valueOf(row, 'saleAmount');
  const dealership = columns.find(({ id }) => id === 'dealershipId');
  return (
    <li className={styles.row}>
      {row.deal && (
        <label className={`ui-line ui-fixed ${styles.check}`}>
          <input
            type="checkbox"
            aria-label={tableTexts.select(rowName(row) || texts.unnamed)}
            checked={isSelected}
            onChange={onToggle}
          />
        </label>
      )}
      <button
        ref={card}
        type="button"
        {...menu}
        className={`ui-stack ui-gap-1 ${styles.card} ${statusClass(options?.statuses ?? [], status) ?? ''}`}
        data-unsaved={isUnsaved(row) || undefined}
        onClick={() => (row.deal ? openDeal(row.deal._id) : dealInForm.set({ key: rowKey }))}
      >
        <span className={styles.line}>
          <strong>{rowName(row) || texts.unnamed}</strong>
          <span className={styles.status}>{status ?? texts.unsavedRow}</span>
        </span>
        <span className={styles.line}>
          <span>{dealership && displayText(dealership, row, '')}</span>
          {typeof sale === 'number' && <span>{formatMoney(sale)}</span>}
        </span>
        <span className={styles.line}>
          <span>
            {valueOf(row, 'customerNumber') ?? ''}
            {contactsOf(row).some(find) && <span className="ui-sub ui-danger">{contactTexts.mark}</span>}
          </span>
          {row.deal && <span>{`${texts.columns.emailStatus}: ${mailOf(row.deal).text}`}</span>}
        </span>
      </button>
      {(call || (marks && row.deal)) && (
        <span className="ui-stack ui-gap-0 ui-fixed">
          {call && (
            <a className={`ui-inline ${styles.mark}`} href={call.href} aria-label={call.label}>
              <Phone />
            </a>
          )}
          {row.deal &&
            marks?.map(({ label, className, icon, count, onClick }) => (
              <button
                key={className ?? 'icon'}
                type="button"
                className={`ui-inline ${styles.mark}`}
                aria-label={label}
                data-unread={className === 'unread' || undefined}
                onClick={onClick}
              >
                {icon ?? <MessageSquare />}
                {count}
              </button>
            ))}
        </span>
      )}
    </li>
  );
}
