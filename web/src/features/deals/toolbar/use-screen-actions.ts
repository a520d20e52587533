import type { Ability } from '@forecourt/contract/route';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { CellAddress, GridHandle } from '../../../grid/grid.ts';
import { type Store, useStore } from '../../../platform/external-store.ts';
import { useFirstScreenReady } from '../../../platform/first-screen.ts';
import { paths } from '../../../platform/paths.ts';
import { isInField, typesInto } from '../../../platform/types-into.ts';
import { texts as undoTexts } from '../../../texts/deal-undo.ts';
import { texts as viewTexts } from '../../../texts/deal-views.ts';
import { texts } from '../../../texts/deals.ts';
import { toastDone, toastWarning } from '../../../ui/toasts.ts';
import { useOpener, type Opener } from '../../../ui/use-opener.ts';
import { actionKeys, pressedKeys } from '../action-keys.ts';
import { openActions, runAction } from '../actions/main-actions.ts';
import { useOfferedActions, type ScreenAction } from '../actions/screen-actions.ts';
import { focusTable, type ShownGroups } from '../data-entry-context.ts';
import type { UndoOutcome } from '../undo-step.ts';
import type { Deals } from '../use-deals.ts';
import type { OpenedAt } from './filter-draft.ts';

type ScreenActionsOptions = {
  readonly deals: Deals;
  /** Its handle is null while the rows are cards. */
  readonly grid: RefObject<GridHandle | null>;
  readonly search: RefObject<HTMLInputElement | null>;
  readonly active: Store<CellAddress | null>;
  readonly groups: Store<ShownGroups | null>;
  /** `true`, or why the rows cannot be grouped. */
  readonly groupable: Ability;
  readonly groupMenu: Opener;
  readonly columnPanel: Opener;
  /** `true`, or why no row can be added; whether the button for it is shown at all. */
  readonly adding: Ability;
  readonly offersAdd: boolean;
  readonly isPhone: boolean;
  readonly onHelp: () => void;
};

/** The actions on the whole screen: one list for its toolbar, its shortcuts and the command palette. */
export function useScreenActions({
  deals,
  grid,
  search,
  active,
  groups,
  groupable,
  groupMenu,
  columnPanel,
  adding,
  offersAdd,
  isPhone,
  onHelp,
}: ScreenActionsOptions) {
  const { rows, table, loading } = deals;
  const isFirstScreenReady = useFirstScreenReady();
  const inWindow = useStore(loading.inWindow);
  const trailing = useStore(table.trailing);
  /** Whether the rows of another window are being loaded. */
  const slides = useRef(false);
  const showCell = (key: string, field: string): void => grid.current?.focusCell(key, field);
  /** Focuses a row in the column of the active cell. */
  const showRow = (key: string): void => showCell(key, active.get()?.columnId ?? 'customerName');
  const newRow = (): void => {
    const key = table.blankKey();
    if (key !== null) showCell(key, 'customerName');
  };
  const slide = (backwards: boolean): void => {
    slides.current = backwards ? loading.previous() : loading.next();
  };
  const slideBy = (id: 'previousWindow' | 'nextWindow', backwards: boolean): ScreenAction => ({
    isKey: (event) => inWindow !== null && pressedKeys(event) === actionKeys[id],
    run: () => slide(backwards),
  });
  const goToFirst = (): void => {
    slides.current = false;
    const [first] = rows.getOrder();
    if (first !== undefined) showRow(first);
  };
  const leaveSearch = (to: 'first' | 'back'): void => {
    const cell = active.get();
    if (to === 'first' || cell === null) goToFirst();
    else showCell(cell.key, cell.columnId);
  };
  const navigate = useNavigate();
  const { dealId }: { dealId?: string } = useParams({ strict: false });
  const openDeal = (id: string): void =>
    void navigate({ to: paths.deal(id), search: true, state: { canGoBack: true } });
  /** Opens the page, the comments or the files of a row. */
  const openOf = (id: keyof ReturnType<typeof openActions>, key: string | undefined): void => {
    const row = rows.get(key ?? '');
    runAction(openActions({ rows: row ? [row] : [], onOpen: openDeal })[id]);
  };
  const ofActiveRow = (id: 'comments' | 'attachments') => ({
    keys: actionKeys[id],
    run: () => openOf(id, active.get()?.key),
  });
  /** Returns the focus from what was opened for a row. */
  const focusRow = (id: string): void => {
    const key = table.keyOf(id);
    if (isPhone) return;
    if (rows.get(key)) showRow(key);
    else focusTable();
  };
  const findNext = (backwards: boolean): void => void grid.current?.findNext(backwards);
  const filterPanel = useOpener('dialog');
  const [openedAt, setOpenedAt] = useState<OpenedAt>(null);
  const openFilter = (part: OpenedAt): void => {
    setOpenedAt(part);
    filterPanel.open();
  };
  const blankKey = trailing.at(-1);
  const focusBlankRow = useEffectEvent(() => {
    const { activeElement } = document;
    const isFree = activeElement === document.body || activeElement === document.querySelector('main');
    if (isFree && grid.current) newRow();
  });
  const canFocusBlankRow = isFirstScreenReady && blankKey !== undefined && dealId === undefined;
  useEffect(() => {
    if (canFocusBlankRow) focusBlankRow();
  }, [canFocusBlankRow]);
  /** Focuses the first affected cell that is visible, and reports what was not done; over it, the page of a deal reports all. */
  const showOutcome = ({ message, isComplete, cells: affected }: UndoOutcome): void => {
    if (!isComplete) toastWarning(message);
    else if (dealId !== undefined) toastDone(message);
    if (dealId !== undefined) return;
    const first = (affected ?? [active.get()]).find((cell) => cell && rows.get(cell.key));
    if (first) showCell(first.key, first.columnId);
    else focusTable();
  };
  const undo = (): void => void deals.history.undo().then(showOutcome);
  const redo = (): void => void deals.history.redo().then(showOutcome);
  const actions = {
    newRow: {
      label: texts.newRow,
      isOffered: offersAdd && !isPhone,
      ability: adding,
      keys: actionKeys.newRow,
      run(event) {
        if (!event || groups.get()?.addAt(active.get()?.key ?? '') !== true) newRow();
      },
    },
    help: { isKey: isHelp, isOfPage: true, run: onHelp },
    filter: { label: viewTexts.filter, keys: actionKeys.filter, run: () => openFilter(null) },
    group: { label: viewTexts.group, ability: groupable, keys: actionKeys.group, run: groupMenu.open },
    columns: { label: texts.columnsMenu, isOffered: !isPhone, run: columnPanel.open },
    find: { keys: actionKeys.find, run: () => search.current?.select() },
    findNext: {
      isKey: (event) => pressedKeys(event).replace('Shift+', '') === actionKeys.findNext,
      run: (event) => findNext(event?.shiftKey === true),
    },
    previousWindow: slideBy('previousWindow', true),
    nextWindow: slideBy('nextWindow', false),
    comments: ofActiveRow('comments'),
    attachments: ofActiveRow('attachments'),
    undo: { label: undoTexts.undo, keys: actionKeys.undo, isKey: isUndo, isOfPage: true, run: undo },
    redo: { label: undoTexts.redo, keys: actionKeys.redo, isKey: isRedo, isOfPage: true, run: redo },
  } satisfies Record<string, ScreenAction>;
  useOfferedActions(actions, dealId !== undefined);

  return {
    actions,
    showCell,
    slide,
    leaveSearch,
    openOf,
    dealId,
    openDeal,
    focusRow,
    findNext,
    filterPanel,
    openedAt,
    openFilter,
    /** Focuses the first row of another window when its rows were loaded. */
    onRows(): void {
      if (slides.current) goToFirst();
    },
  };
}

/** `?` outside text fields, and Ctrl+/ everywhere. */
const isHelp = ({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  ctrlKey || metaKey ? key === '/' : key === '?' && !isInField(target);

/**
 * Whether a letter is pressed, by its character, with these modifiers: except in the table and in text fields, which undo
 * and redo by themselves.
 */
function isTyped(keys: string, { key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (!(ctrlKey || metaKey) || altKey || typesInto(target)) return false;
  return keys === `Ctrl+${shiftKey ? 'Shift+' : ''}${key.toUpperCase()}`;
}

const isUndo = (event: KeyboardEvent): boolean => isTyped(actionKeys.undo, event);
const isRedo = (event: KeyboardEvent): boolean =>
  isTyped(actionKeys.redo, event) || isTyped(actionKeys.redoByShift, event);
