import { useState, type RefObject } from 'react';
import type { Block } from './block.ts';
import { fillOfDrag, fillOfKey } from './paste-area.ts';
import { passHeads, type RowSequence } from './row-sequence.ts';
import type { BlockCommands } from './use-block-commands.ts';
import { useBlockDrag, type BlockDrag, type CellPlaces } from './use-block-drag.ts';
import type { BlockSelection } from './use-block.ts';

interface FillOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly places: CellPlaces;
  readonly sequence: RowSequence;
  readonly selection: BlockSelection;
  readonly commands: BlockCommands;
}

export interface Filling {
  /** Selects cells with the pointer, or fills with the handle. */
  readonly drag: BlockDrag;
  /** The cells that a drag of the handle would fill. */
  readonly target: Block | null;
  /** Fills the selected cells by a command. */
  readonly fill: (direction: 'down' | 'right') => void;
}

export function useFill({ scroller, places, sequence, selection, commands }: FillOptions): Filling {
  const [target, setTarget] = useState<Block | null>(null);
  const drag = useBlockDrag({
    scroller,
    places,
    onDrag(kind, to) {
      if (kind === 'select') selection.extendTo(to);
      else setTarget((selection.block && fillOfDrag(selection.block, to)?.target) ?? null);
    },
    onDrop() {
      setTarget(null);
      if (!target || !selection.block) return;
      commands.fillFrom({ source: selection.block, target });
      selection.selectBlock(target);
    },
    onCancel: () => setTarget(null),
  });

  function fill(direction: 'down' | 'right') {
    const { block } = selection;
    const filling = block && fillOfKey(block, direction, passHeads(sequence, block.top - 1, -1));
    if (filling) commands.fillFrom(filling);
  }

  return { drag, target, fill };
}
