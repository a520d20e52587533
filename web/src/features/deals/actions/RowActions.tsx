import X from 'lucide-react/icons/x';
import type { Dispatch, ReactNode, SetStateAction } from 'react';
import { texts } from '../../../texts/deals.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { TableActions } from './TableActions.tsx';
import styles from './RowActions.module.css';

type RowActionsProps = {
  /** At the bottom of a phone, while rows are selected; otherwise part of the toolbar. */
  isBar: boolean;
  selected: ReadonlySet<string>;
  onSelected: Dispatch<SetStateAction<ReadonlySet<string>>>;
};

/** Sets the CSS variable `--row-actions` to the height of the bar; 0 in the toolbar. */
function reserveHeight(bar: HTMLDivElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--row-actions', `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => {
    observer.disconnect();
    style.removeProperty('--row-actions');
  };
}

/** The actions on rows. The same element in both places: an open dialog stays when the phone is rotated. */
export function RowActions({ isBar, selected, onSelected }: RowActionsProps): ReactNode {
  return (
    <div
      ref={reserveHeight}
      className={isBar ? `ui-row ${styles.bar}` : styles.inline}
      hidden={isBar && selected.size === 0}
    >
      {isBar && (
        <div className={`ui-line ui-between ${styles.count}`}>
          <span role="status">{texts.selected(selected.size)}</span>
          <IconAction label={texts.deselect} icon={X} onClick={() => onSelected(new Set())} />
        </div>
      )}
      <TableActions selected={selected} onSelected={onSelected} />
    </div>
  );
}
