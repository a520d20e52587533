import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { createDraftWriter } from './draft-writer.ts';
import { later } from './retry-later.ts';
import { viewing } from './view-as.ts';

interface DraftsSchema extends DBSchema {
  drafts: { key: [owner: string, kind: string, id: string]; value: { content: unknown } };
}

/**
 * Text that a user has typed and the server has not stored yet, in IndexedDB. It survives reloads, crashes and signing
 * out, and only its owner reads it (docs/product/data-entry.md, Nothing typed is lost).
 */
export type Drafts<T> = {
  all(): Promise<T[]>;
  /** Stores drafts. If the browser's storage is full, rejects and keeps them in memory. */
  save(drafts: readonly T[]): Promise<void>;
  delete(ids: readonly string[]): Promise<void>;
  /** Stops storing these drafts, because another tab has newer versions. */
  release(ids: readonly string[]): void;
};

let opened: Promise<IDBPDatabase<DraftsSchema> | null> | undefined;

/**
 * Null if the browser blocks storage, so that drafts are lost at a reload. Also null while viewing as another user,
 * whose drafts in this browser must be neither read nor changed.
 */
function database(): Promise<IDBPDatabase<DraftsSchema> | null> {
  if (viewing !== null) return Promise.resolve(null);
  opened ??= openDB<DraftsSchema>('drafts', 1, {
    upgrade: (db) => void db.createObjectStore('drafts'),
  }).catch(() => {
    // The next call tries again.
    opened = undefined;
    return null;
  });
  return opened;
}

type Place = readonly [owner: string, kind: string, id: string];
type Placed = { readonly place: Place; readonly content: unknown };
const placeOf = (id: string): [string, string, string] => JSON.parse(id) as [string, string, string];
const idOf = (place: Place): string => JSON.stringify(place);

/**
 * Commits a transaction. Without `commit`, the browser waits until the page has received the result of each request, and
 * aborts the transaction if the page is closed or reloaded before: a click on *Reload page* saves the open cell and
 * reloads within these milliseconds.
 */
async function commit(
  writing: IDBPTransaction<DraftsSchema, ['drafts'], 'readwrite'>,
  requests: readonly Promise<unknown>[],
): Promise<void> {
  writing.commit();
  await Promise.all([...requests, writing.done]);
}

async function write(drafts: readonly Placed[]): Promise<void> {
  if (viewing !== null) return;
  const writing = (await database())?.transaction('drafts', 'readwrite');
  if (writing === undefined) throw new Error('The browser refuses storage');
  const puts = drafts.map(({ place, content }) => writing.store.put({ content }, [...place]));
  await commit(writing, puts);
}

async function remove(ids: readonly string[]): Promise<void> {
  const writing = (await database())?.transaction('drafts', 'readwrite');
  if (writing === undefined) return;
  const deletions = ids.map((id) => writing.store.delete(placeOf(id)));
  await commit(writing, deletions);
}

const writer = createDraftWriter<Placed>({ write, remove, idOf: ({ place }) => idOf(place), later });

/** Number of drafts that only exist in memory and would be lost at a reload. */
export const unstoredDrafts = writer.unstored;

/**
 * Returns the drafts of one kind and owner.
 * @param owner user id
 */
export function draftsOf<T extends { readonly key: string }>(owner: string, kind: string): Drafts<T> {
  return {
    async all() {
      const range = IDBKeyRange.bound([owner, kind], [owner, kind, []]);
      const storedDrafts = (await (await database())?.getAll('drafts', range)) ?? [];
      return storedDrafts.map(({ content }) => content as T);
    },
    save: (drafts) =>
      writer.save(drafts.map((draft) => ({ place: [owner, kind, draft.key], content: draft }))),
    delete: (ids) => writer.delete(ids.map((id) => idOf([owner, kind, id]))),
    release: (ids) => writer.release(ids.map((id) => idOf([owner, kind, id]))),
  };
}
