import './grid-groups.css';
import { memo, useMemo, type ReactElement, type ReactNode } from 'react';
import { rowSequence, type GridGroups, type GroupHeadProps, type RowGroup } from './row-sequence.ts';

// oxlint-disable jsx-a11y/prefer-tag-over-role -- as the rows: see GridRow.tsx

export interface GroupsOptions {
  readonly groups: readonly RowGroup[];
  /** Keys of records that belong to no group. */
  readonly rest: readonly string[];
  /** Returns the content of a group head. Its identity must be stable; the content subscribes to its own changes. */
  readonly renderHead: (key: string) => ReactNode;
  readonly onToggle: (key: string, isExpanded: boolean) => void;
  readonly onToggleAll: (isExpanded: boolean) => void;
  readonly onAdd: (key: string) => void;
}

/**
 * Creates the groups of a grid. They are a separate script. A collapsed group has no rows in the grid; commands on a
 * block skip the heads in it.
 */
export function createGridGroups(options: GroupsOptions): GridGroups {
  const { groups, rest, renderHead, onToggle, onToggleAll, onAdd } = options;
  const byKey = new Map(groups.map((group) => [group.key, group]));
  const order: string[] = [];
  const heads: number[] = [];
  for (const { key, rows, isExpanded } of groups) {
    heads.push(order.length);
    order.push(key);
    // Not `push(...rows)`, because there can be 100,000 rows.
    if (isExpanded) for (const row of rows) order.push(row);
  }
  for (const row of rest) order.push(row);
  let records: readonly string[] | null = null;

  const collapsedAround = (key: string): RowGroup | undefined =>
    groups.find(({ rows, isExpanded }) => !isExpanded && rows.includes(key));

  return {
    Head: GroupHead,
    renderHead,
    group: (key) => byKey.get(key),

    sequenceOf(trailing) {
      const whole = rowSequence(order, trailing);
      return {
        ...whole,
        keysBetween: (from, to) => whole.keysBetween(from, to).filter((key) => !byKey.has(key)),
        countBetween: (from, to) => to - from + 1 - heads.filter((head) => head >= from && head <= to).length,
        getRecords: () => (records ??= [...groups.flatMap(({ rows }) => rows), ...rest]),
        recordCount: rest.length + groups.reduce((count, { rows }) => count + rows.length, 0),
        isHead: (index) => byKey.has(whole.keyAt(index) ?? ''),
        hiddenIn: (key) => collapsedAround(key)?.key ?? null,
      };
    },

    reveal(key) {
      const group = collapsedAround(key);
      if (group) onToggle(group.key, true);
    },

    onPress(key, part) {
      if (part === 'add') onAdd(key);
      else onToggle(key, byKey.get(key)?.isExpanded === false);
    },

    onKey({ key, altKey, ctrlKey, metaKey, shiftKey }, cell) {
      const isSide = key === 'ArrowLeft' || key === 'ArrowRight';
      const group = byKey.get(cell);
      if (!group || altKey || shiftKey || (!isSide && !['Enter', ' ', 'Home', 'End'].includes(key)))
        return false;
      if (ctrlKey || metaKey) {
        if (isSide) onToggleAll(key === 'ArrowRight');
        return isSide;
      }
      if (isSide) onToggle(cell, key === 'ArrowRight');
      else if (key === 'Enter' || key === ' ') onToggle(cell, !group.isExpanded);
      return true;
    },
  };
}

/** The head of a group: one cell across all columns, after the checkbox of the group. */
const GroupHead = memo(function GroupHead(props: GroupHeadProps): ReactElement {
  const { group, renderHead, prefix, index, rowHeight, columnCount, selected, activeId } = props;
  const { key, rows, isExpanded, selectLabel, addLabel } = group;
  const ticked = useMemo(() => {
    if (!selected || selected.size === 0) return 0;
    return rows.reduce((count, row) => count + Number(selected.has(row)), 0);
  }, [rows, selected]);
  const isAll = ticked > 0 && ticked === rows.length;
  return (
    <div
      role="row"
      className={`grid-row grid-group ${prefix}row`}
      aria-rowindex={index + 2}
      style={{ height: rowHeight, transform: `translateY(${index * rowHeight}px)` }}
    >
      {selected && (
        <div
          role="gridcell"
          aria-colindex={1}
          aria-label={selectLabel}
          className="grid-cell grid-select grid-pinned"
        >
          <span
            role="checkbox"
            aria-checked={ticked > 0 && !isAll ? 'mixed' : isAll}
            aria-label={selectLabel}
            className="grid-check"
          />
        </div>
      )}
      <div
        role="gridcell"
        id={activeId}
        aria-colindex={selected ? 2 : 1}
        aria-colspan={columnCount}
        // oxlint-disable-next-line jsx-a11y/role-supports-aria-props -- ARIA 1.2 lists it for gridcell
        aria-expanded={isExpanded}
        aria-selected={activeId !== undefined || undefined}
        className={`grid-group-cell${activeId === undefined ? '' : ' active'}`}
      >
        <span className="grid-group-content">
          <span className="grid-group-caret" aria-hidden />
          {renderHead(key)}
          {addLabel !== null && (
            <span role="button" aria-label={addLabel} className="grid-group-add">
              +
            </span>
          )}
        </span>
      </div>
    </div>
  );
});
