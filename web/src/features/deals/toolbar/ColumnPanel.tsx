import { ActionIcon, Button, Checkbox } from '@mantine/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowLeftToLine from 'lucide-react/icons/arrow-left-to-line';
import ArrowRightToLine from 'lucide-react/icons/arrow-right-to-line';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { columnZones, moveColumn, pinColumn } from '../../../grid/grid.ts';
import { texts } from '../../../texts/deal-columns.ts';
import { texts as ordering } from '../../../texts/ordering.ts';
import { ButtonPopover } from '../../../ui/ButtonPopover.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import type { Opened } from '../../../ui/use-opener.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { initialColumns, isColumnShown } from '../views/arrangement.ts';

export default function ColumnPanel({ part }: { part: Opened }): ReactNode {
  return (
    <ButtonPopover part={part} position="bottom-end" width={340}>
      <ColumnList />
    </ButtonPopover>
  );
}

/** Every column in its current order, to show, hide, pin and move it, also by keyboard. */
function ColumnList(): ReactNode {
  const { columns, options, arrangement } = useDataEntry();
  const { columns: state, setColumns: onChange, isCompact, setCompact } = arrangement;
  const [announcement, announce] = useState('');
  const ids = columns.map(({ id }) => id);
  const { start, center, end } = columnZones(state, ids);
  const order = [...start, ...center, ...end];
  const isShown = (id: string): boolean => isColumnShown(state, id);
  const shownCount = ids.filter(isShown).length;

  const setShown = (id: string, visible: boolean): void =>
    onChange((old) => ({ ...old, columnVisibility: { ...old.columnVisibility, [id]: visible } }));
  const move = (event: MouseEvent<HTMLButtonElement>, id: string, header: string, by: 1 | -1): void => {
    const at = order.indexOf(id) + by;
    const beside = order[at];
    if (beside === undefined) return announce(ordering.atEnd(header));
    onChange((old) => moveColumn(old, ids, id, beside));
    announce(ordering.moved(header, at + 1, order.length));
    // Moving the element in the list removes its focus.
    const button = event.currentTarget;
    requestAnimationFrame(() => button.focus());
  };

  return (
    <>
      <Segments
        fullWidth
        mb="xs"
        aria-label={texts.density}
        labels={texts.densities}
        value={isCompact ? 'compact' : 'comfortable'}
        onChange={(density) => setCompact(density === 'compact')}
      />
      <p className="ui-quiet ui-mb-2">{texts.columnsNote}</p>
      <ul className="ui-scroll ui-mb-2">
        {order.map((id) => {
          const header = columns.find((column) => column.id === id)?.header ?? id;
          const pin = (side: 'left' | 'right', isPinned: boolean, icon: ReactNode): ReactNode => (
            <Action
              label={texts.pin(header, side)}
              pressed={isPinned}
              icon={icon}
              onClick={() => onChange((old) => pinColumn(old, id, isPinned ? null : side))}
            />
          );
          return (
            <li key={id} className="ui-line ui-gap-0 ui-between">
              <Checkbox
                label={header}
                description={options?.customFields.find(({ key }) => key === id)?.help || undefined}
                checked={isShown(id)}
                disabled={isShown(id) && shownCount === 1}
                onChange={(event) => setShown(id, event.currentTarget.checked)}
              />
              <span className="ui-line ui-gap-1">
                {pin('left', start.includes(id), <ArrowLeftToLine size={14} />)}
                {pin('right', end.includes(id), <ArrowRightToLine size={14} />)}
                <Action
                  label={texts.moveLeft(header)}
                  icon={<ArrowUp size={14} />}
                  onClick={(event) => move(event, id, header, -1)}
                />
                <Action
                  label={texts.moveRight(header)}
                  icon={<ArrowDown size={14} />}
                  onClick={(event) => move(event, id, header, 1)}
                />
              </span>
            </li>
          );
        })}
      </ul>
      <Button variant="subtle" fullWidth onClick={() => onChange(() => initialColumns)}>
        {texts.resetColumns}
      </Button>
      <output className="ui-hidden">{announcement}</output>
    </>
  );
}

type ActionProps = {
  label: string;
  icon: ReactNode;
  /** Undefined if the button is no toggle. */
  pressed?: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
};

function Action({ label, icon, pressed, onClick }: ActionProps): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={24}
        aria-label={label}
        aria-pressed={pressed}
        {...(pressed ? { variant: 'light', color: 'accent' } : {})}
        onClick={onClick}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
