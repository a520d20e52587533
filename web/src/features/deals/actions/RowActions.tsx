import { useParams } from '@tanstack/react-router';
import X from 'lucide-react/icons/x';
import { Suspense, useEffect, useMemo, useReducer, type ReactNode } from 'react';
import { useStore } from '../../../platform/external-store.ts';
import { lazyAfterFirstPaint, useFirstScreenReady } from '../../../platform/first-screen.ts';
import { texts } from '../../../texts/deals.ts';
import { IconAction } from '../../../ui/ActionButton.tsx';
import { lazyPart } from '../../../ui/lazy-part.ts';
import { useDataEntry } from '../data-entry-context.ts';
import { dealDialog } from '../open-parts.ts';
import { DealActions } from './DealActions.tsx';
import type { ActionTarget } from './main-actions.ts';
import styles from './RowActions.module.css';

const DealDialogs = lazyPart(() => import('./DealDialogs.tsx'));
const RowCommands = lazyAfterFirstPaint(async () => ({
  default: (await import('./DealMenu.tsx')).RowCommands,
}));
const CellDialogs = lazyAfterFirstPaint(() => import('./CellDialogs.tsx'));

/** Whether buttons have no text, to fit the width of a usual screen. */
type RowActionsProps = { isIcons: boolean };

/**
 * Sets the CSS variable `--row-actions` to the height of the bar on a phone. In the toolbar nothing reads it, and setting
 * it would style the whole page again.
 */
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

/**
 * The actions on rows: in the toolbar, or on a phone at the bottom while rows are selected. It is the same element in
 * both places, so that an open dialog stays when the phone is rotated.
 */
export function RowActions({ isIcons }: RowActionsProps): ReactNode {
  const { isPhone, selected, setSelected } = useDataEntry();
  return (
    <div
      ref={isPhone ? reserveHeight : null}
      className={isPhone ? `ui-row ${styles.bar}` : styles.inline}
      hidden={isPhone && selected.size === 0}
    >
      {isPhone && (
        <div className={`ui-line ui-between ${styles.count}`}>
          <span role="status">{texts.selected(selected.size)}</span>
          <IconAction label={texts.deselect} icon={X} onClick={() => setSelected(new Set())} />
        </div>
      )}
      <TableActions isIcons={isIcons} />
    </div>
  );
}

/** Actions on the selected rows, otherwise on the rows of the selected block, otherwise on the active row. */
function TableActions({ isIcons }: RowActionsProps): ReactNode {
  const { deals, active, cells, selected, setSelected, openDeal } = useDataEntry();
  const cell = useStore(active);
  const activeKey = cell?.key;
  const block = useStore(cells);
  // Rows that were removed from the table are no longer selected.
  useEffect(
    () =>
      deals.rows.subscribeOrder(() =>
        setSelected((before) => {
          const present = [...before].filter((key) => deals.rows.get(key));
          return present.length === before.size ? before : new Set(present);
        }),
      ),
    [deals.rows, setSelected],
  );
  const keys = useMemo(() => {
    if (selected.size > 0) return [...selected];
    if (block && block.keys.length > 1) return block.keys.filter((key) => key !== deals.table.blankKey());
    return activeKey === undefined ? [] : [activeKey];
  }, [deals.table, selected, block, activeKey]);
  // Renders when drafts are saved: abilities depend on them.
  useStore(deals.draftSync.pending);
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const stops = keys.map((key) => deals.rows.subscribeRow(key, drawAgain));
    return () => stops.forEach((stop) => stop());
  }, [deals.rows, keys]);
  const rows = keys.flatMap((key) => deals.rows.get(key) ?? []);
  const target: ActionTarget = {
    rows,
    columnId: cell?.columnId,
    onOpen: openDeal,
    onDeleted: () => setSelected(new Set()),
  };
  const isReady = useFirstScreenReady();
  // The page of a deal offers the actions on that row.
  const { dealId }: { dealId?: string } = useParams({ strict: false });
  return (
    <>
      <DealActions isIcons={isIcons} {...target} />
      <Suspense>{isReady && dealId === undefined && <RowCommands {...target} />}</Suspense>
      <Suspense>{isReady && <CellDialogs />}</Suspense>
      <OpenDialog />
    </>
  );
}

/** The dialog of an action, of the toolbar, a menu or a form. */
function OpenDialog(): ReactNode {
  const dialog = useStore(dealDialog);
  useEffect(() => () => dealDialog.set(null), []);
  return <Suspense>{dialog && <DealDialogs dialog={dialog} />}</Suspense>;
}
