import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { viewing } from './view-as.ts';

interface DraftsSchema extends DBSchema {
  drafts: { key: [owner: string, kind: string, id: string]; value: { content: unknown } };
}

/**
 * What one person typed and the server has not taken yet, in the browser's own storage: it outlives reloads,
 * crashes and signing out, and nobody else gets to see it (product section 4, Nothing typed is lost).
 */
export type Drafts<T> = {
  all(): Promise<T[]>;
  /** Keeps drafts: all of them or none. */
  keep(drafts: readonly T[]): Promise<void>;
  forget(ids: readonly string[]): Promise<void>;
};

let opened: Promise<IDBPDatabase<DraftsSchema> | null> | undefined;

/**
 * Null where the browser refuses storage: then drafts live as long as the page does. The same while the product
 * is looked at as somebody else, whose drafts in this browser are neither read nor added to.
 */
function database(): Promise<IDBPDatabase<DraftsSchema> | null> {
  if (viewing !== null) return Promise.resolve(null);
  opened ??= openDB<DraftsSchema>('drafts', 1, {
    upgrade: (db) => void db.createObjectStore('drafts'),
  }).catch(() => null);
  return opened;
}

/**
 * The drafts of one kind of one person.
 * @param owner the person's id
 */
export function draftsOf<T extends { readonly key: string }>(owner: string, kind: string): Drafts<T> {
  return {
    async all() {
      const range = IDBKeyRange.bound([owner, kind], [owner, kind, []]);
      const found = (await (await database())?.getAll('drafts', range)) ?? [];
      return found.map(({ content }) => content as T);
    },
    async keep(drafts) {
      const writing = (await database())?.transaction('drafts', 'readwrite');
      const puts = drafts.map((draft) => writing?.store.put({ content: draft }, [owner, kind, draft.key]));
      await Promise.all([...puts, writing?.done]);
    },
    async forget(ids) {
      const writing = (await database())?.transaction('drafts', 'readwrite');
      const deletions = ids.map((id) => writing?.store.delete([owner, kind, id]));
      await Promise.all([...deletions, writing?.done]);
    },
  };
}
