import type { Ability } from '@forecourt/contract/route';
import { ActionIcon } from '@mantine/core';
import GripVertical from 'lucide-react/icons/grip-vertical';
import { createContext, use, type ReactNode } from 'react';
import { texts } from '../../texts/ordering.ts';
import { abilityProps } from '../ability.ts';
import type { DataColumn } from '../DataTable.tsx';
import { Tooltip } from '../Tooltip.tsx';
import styles from './OrderHandle.module.css';

/** The id of the dragged row. */
export const Moving = createContext<string | null>(null);

type Ordered = { readonly _id: string; readonly name: string; readonly order: number };

/** A column with handles to reorder rows. Its table must be inside `OrderedRows`. */
export const orderColumn = (ability: Ability): DataColumn<Ordered> => ({
  id: 'order',
  header: texts.order,
  width: '92px',
  sortBy: ({ order }) => order,
  render: ({ _id, name }) => <OrderHandle id={_id} name={name} ability={ability} />,
});

type OrderHandleProps = { id: string; name: string; ability: Ability };

/** Renders the handle only; `OrderedRows` handles its events. */
function OrderHandle({ id, name, ability }: OrderHandleProps): ReactNode {
  const isMoving = use(Moving) === id;
  return (
    <Tooltip label={ability === true ? texts.hint : ability} disabled={isMoving}>
      <ActionIcon
        className={styles.handle}
        aria-label={texts.move(name)}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        data-order-handle={id}
        data-moving={isMoving || undefined}
        {...abilityProps(ability)}
      >
        <GripVertical />
      </ActionIcon>
    </Tooltip>
  );
}
