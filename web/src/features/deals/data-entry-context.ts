import type { ColumnFilter } from '@forecourt/contract/deal-filter-fields';
import type { GroupField } from '@forecourt/contract/deal-groups';
import type { Deal } from '@forecourt/contract/deals';
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
  ColumnState,
  GridColumn,
  GridGroups,
  GridHandle,
  RowGroup,
  RowStore,
  SelectedCells,
  SetColumnState,
  TypedText,
} from '../../grid/grid.ts';
import type { Store } from '../../platform/external-store.ts';
import type { DealField, DealOptions } from './deal-fields.ts';
import type { DealCommand, DealDraft, DealRow, Origin } from './deal-row.ts';
import type { DealView, DealWindow, FilterMatcher, RowsState, StoredArrangement } from './deal-view.ts';
import type { Step } from './undo-step.ts';

/** The groups of rows, for the table and the cards. */
export type ShownGroups = GridGroups & {
  /** `ability`: `true`, or the reason why no row can be added to the group. */
  readonly list: readonly (RowGroup & { readonly label: string; readonly ability: Ability })[];
  /** Keys of rows that belong to no group. */
  readonly rest: readonly string[];
  readonly toggle: (key: string, isExpanded: boolean) => void;
  readonly toggleAll: (isExpanded: boolean) => void;
  /** Adds a row to the group of a head or of a row. Returns false if there is no such group. */
  readonly addAt: (key: string) => boolean;
};

/** The rows as the parts of the screen use them; created by `useDeals`. */
export type SharedDeals = {
  readonly rows: RowStore<DealRow>;
  readonly table: {
    /** Keys of visible unsaved rows. The blank row is the last. */
    readonly trailing: Store<readonly string[]>;
    readonly keyOf: (id: string) => string;
    readonly blankKey: () => string | null;
    readonly refresh: (deals: readonly Deal[]) => void;
    readonly remove: (ids: readonly string[]) => void;
    readonly holdForPage: (deal: Deal) => () => void;
    readonly savedDeals: () => Deal[];
  };
  readonly loading: {
    readonly state: Store<RowsState>;
    readonly inWindow: Store<DealWindow | null>;
    readonly isWhole: () => boolean;
    readonly reload: () => void;
  };
  readonly matcher: Store<FilterMatcher | null>;
  readonly draftSync: {
    readonly pending: Store<readonly DealDraft[]>;
    readonly isRestored: Store<boolean>;
    readonly drafts: () => readonly DealDraft[];
    readonly draftOf: (key: string) => DealDraft | undefined;
    readonly discard: (key: string) => void;
    readonly discardField: (key: string, field: DealField) => void;
    readonly keepMine: (key: string, field: DealField, deal: Deal) => void;
    readonly tryAgain: (key: string) => void;
    readonly retryNow: () => void;
    readonly subscribe: (listener: {
      onDeal: (key: string, deal: Deal, origin: Origin) => void;
    }) => () => void;
  };
  readonly history: { readonly announcement: Store<string>; readonly record: (step: Step) => void };
  readonly localVersions: {
    readonly latest: (id: string) => number | undefined;
    readonly newest: (deal: Pick<Deal, '_id' | 'version'>) => number;
    readonly knownById: (deals: readonly Deal[]) => Record<string, number>;
  };
  readonly applyRows: (deals: readonly Deal[], origin?: Origin) => readonly Deal[];
  readonly onCommand: (command: DealCommand) => void;
  readonly takeRefused: (command: DealCommand) => void;
  readonly onTyping: (typed: TypedText | null) => void;
  readonly addRows: (count: number) => readonly string[];
};

/** The arrangement as the parts of the screen use it; created by `useArrangement`. */
type SharedArrangement = Pick<StoredArrangement, 'filter' | 'sort' | 'group' | 'collapsed' | 'isCompact'> & {
  readonly columns: ColumnState;
  readonly setColumns: SetColumnState;
  readonly setFilter: (filter: ColumnFilter | null) => void;
  readonly setLinked: (linked: Partial<Pick<StoredArrangement, 'filter' | 'group'>>) => void;
  readonly setGroup: (group: GroupField | null) => void;
  readonly setCollapsed: (keys: readonly string[]) => void;
  readonly setCompact: (isCompact: boolean) => void;
};

/** The values that the parts of the screen share. The screen and the hooks below it create them. */
type DataEntry = {
  readonly deals: SharedDeals;
  readonly view: DealView;
  /** Undefined until loaded. */
  readonly options: DealOptions | undefined;
  readonly columns: readonly GridColumn<DealRow>[];
  readonly arrangement: SharedArrangement;
  /** Whether rows are cards instead of a table. */
  readonly isPhone: boolean;
  /** `current` is null while rows are cards. */
  readonly grid: RefObject<GridHandle | null>;
  readonly active: Store<CellAddress | null>;
  /** The selected block; null for a single cell. */
  readonly cells: Store<SelectedCells | null>;
  readonly selected: ReadonlySet<string>;
  readonly setSelected: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** The field of the groups, if the user may see it, and `true` or the reason why rows cannot be grouped. */
  readonly group: GroupField | null;
  readonly groupable: Ability;
  /** Null while the rows are not grouped. */
  readonly groups: Store<ShownGroups | null>;
  /** `true`, or why no row can be added. */
  readonly adding: Ability;
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
