import { ActionIcon, Button, Checkbox, Popover, Tooltip } from '@mantine/core';
import Columns3 from 'lucide-react/icons/columns-3';
import Pin from 'lucide-react/icons/pin';
import type { ReactNode } from 'react';
import type { ColumnState, GridColumn, SetColumnState } from '../../grid/grid.ts';
import { texts } from '../../texts/deals.ts';
import type { DealRow } from './deal-row.ts';
import { initialColumns } from './initial-columns.ts';
import styles from './ColumnChooser.module.css';

type ColumnChooserProps = {
  columns: readonly GridColumn<DealRow>[];
  state: ColumnState;
  onChange: SetColumnState;
};

/** Which columns are shown, and which of them stay in sight while the others scroll (spec section 2). */
export function ColumnChooser({ columns, state, onChange }: ColumnChooserProps): ReactNode {
  const { columnVisibility, columnPinning } = state;
  const shown = columns.filter(({ id }) => columnVisibility[id] !== false);

  const setShown = (id: string, visible: boolean): void =>
    onChange((old) => ({ ...old, columnVisibility: { ...old.columnVisibility, [id]: visible } }));
  const setPinned = (id: string, pinned: boolean): void =>
    onChange((old) => {
      const start = old.columnPinning.start.filter((other) => other !== id);
      const end = old.columnPinning.end.filter((other) => other !== id);
      return { ...old, columnPinning: { start: pinned ? [...start, id] : start, end } };
    });

  return (
    <Popover position="bottom-end" trapFocus returnFocus width={280}>
      <Popover.Target>
        <Button variant="default" leftSection={<Columns3 />}>
          {texts.columnsMenu}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={texts.columnsMenu}>
        <p className={styles.note}>{texts.columnsNote}</p>
        <ul className={styles.list}>
          {columns.map(({ id, header }) => {
            const visible = columnVisibility[id] !== false;
            const pinned = columnPinning.start.includes(id) || columnPinning.end.includes(id);
            const label = pinned ? texts.unpin(header) : texts.pin(header);
            return (
              <li key={id} className={styles.column}>
                <Checkbox
                  label={header}
                  checked={visible}
                  disabled={visible && shown.length === 1}
                  onChange={(event) => setShown(id, event.currentTarget.checked)}
                />
                <Tooltip label={label}>
                  <ActionIcon
                    size={24}
                    aria-label={label}
                    aria-pressed={pinned}
                    {...(pinned ? { color: 'accent' } : {})}
                    onClick={() => setPinned(id, !pinned)}
                  >
                    <Pin size={14} {...(pinned ? { fill: 'currentColor' } : {})} />
                  </ActionIcon>
                </Tooltip>
              </li>
            );
          })}
        </ul>
        <Button variant="subtle" fullWidth onClick={() => onChange(() => initialColumns)}>
          {texts.resetColumns}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
