import type { GroupField } from '@forecourt/contract/deal-groups';
import type { Ability } from '@forecourt/contract/route';
import {
  createContext,
  use,
  useSyncExternalStore,
  type Dispatch,
  type RefObject,
  type SetStateAction,
} from 'react';
import type {
  CellAddress,
  GridColumn,
  GridGroups,
  GridHandle,
  RowGroup,
  RowMark,
  SelectedCells,
} from '../../grid/grid.ts';
import { type Store, createStore } from '../../platform/external-store.ts';
import type { FindContact } from '../do-not-contact/do-not-contact.queries.ts';
import type { DealOptions } from './deal-fields.ts';
import type { DealRow } from './deal-row.ts';
import type { DealView } from './deals.queries.ts';
import type { FormDraft, FormPreset } from './form/form-values.ts';
import type { Deals } from './use-deals.ts';
import type { UsedArrangement } from './views/use-arrangement.ts';

/** The rows in groups, as the table and the cards show them. */
export type ShownGroups = GridGroups & {
  /** `ability`: whether a row can be added to the group, or why not. */
  readonly list: readonly (RowGroup & { readonly label: string; readonly ability: Ability })[];
  /** Keys of rows below all groups. */
  readonly rest: readonly string[];
  readonly toggle: (key: string, isExpanded: boolean) => void;
  readonly toggleAll: (isExpanded: boolean) => void;
  /** Adds a row to the group of a head or of a row; returns whether there is one that can have it. */
  readonly addAt: (key: string) => boolean;
};

type DataEntry = {
  readonly deals: Deals;
  readonly view: DealView;
  /** Undefined until it is loaded. */
  readonly options: DealOptions | undefined;
  readonly columns: readonly GridColumn<DealRow>[];
  readonly arrangement: UsedArrangement;
  /** The rows are cards, without a table. */
  readonly isPhone: boolean;
  /** Its handle is null while the rows are cards. */
  readonly grid: RefObject<GridHandle | null>;
  readonly active: Store<CellAddress | null>;
  /** The selected block, when it is more than one cell. */
  readonly cells: Store<SelectedCells | null>;
  readonly selected: ReadonlySet<string>;
  readonly setSelected: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** The field of the groups as far as the user sees it, and `true` or why the rows cannot be grouped. */
  readonly group: GroupField | null;
  readonly groupable: Ability;
  /** Null while the rows are not grouped. */
  readonly groups: Store<ShownGroups | null>;
  readonly canAdd: boolean;
  readonly userId: string;
  readonly openDeal: (dealId: string) => void;
};

export const DataEntryContext = createContext<DataEntry | null>(null);

/** Returns the values shared by the parts of the Data Entry screen. Throws outside of the screen. */
export function useDataEntry(): DataEntry {
  const shared = use(DataEntryContext);
  if (!shared) throw new Error('useDataEntry belongs below DataEntryScreen');
  return shared;
}

/** Returns a row, and renders again when it changes. */
export function useRow(key: string): DealRow | undefined {
  const { rows } = useDataEntry().deals;
  return useSyncExternalStore(
    (listener) => rows.subscribeRow(key, listener),
    () => rows.get(key),
  );
}

/** Focuses the table after the focused element, such as the button of a notice, was removed. */
export const focusTable = (): void =>
  document.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });

export type DealDialog = {
  readonly kind:
    | 'email'
    | 'share'
    | 'transfer'
    | 'delete'
    | 'status'
    | 'month'
    | 'history'
    | 'attachments'
    | 'doNotContact'
    | 'deleted';
  readonly rows: readonly DealRow[];
  /** The column of a history; null for all. */
  readonly field: string | null;
  readonly onDeleted: () => void;
};

export const dealDialog = createStore<DealDialog | null>(null);

/** The key of the row whose items are being edited. Set by a cell, read by the dialog beside the table. */
export const itemsInEdit = createStore<string | null>(null);

/** The new row whose form is open, by its key, what was typed into it before a reload, and a value that it starts with. */
export const dealInForm = createStore<{
  readonly key: string;
  readonly draft?: FormDraft;
  readonly preset?: FormPreset;
} | null>(null);

/** The id of the deal whose comments are open. */
export const commentsOpen = createStore<string | null>(null);

/** Opens the comments of a deal; open ones receive the focus. */
export function openComments(dealId: string): void {
  if (commentsOpen.get() !== dealId) commentsOpen.set(dealId);
  else document.querySelector<HTMLElement>('[data-new-comment] textarea')?.focus();
}

export const openFiles = (row: DealRow): void =>
  dealDialog.set({ kind: 'attachments', rows: [row], field: null, onDeleted: () => undefined });

/** Finds the entry of a phone number or an address on the Do not contact list, once that is loaded. */
export const findContact = createStore<FindContact>(() => undefined);

/** Marks of the rows that have files or comments, by key, with the number of files or of (unread) comments. */
export const rowMarks = createStore<ReadonlyMap<string, readonly (RowMark & { readonly count: number })[]>>(
  new Map(),
);
