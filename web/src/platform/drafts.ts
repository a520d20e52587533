import { openDB, type DBSchema, type IDBPDatabase } from 'idb';

interface DraftsSchema extends DBSchema {
  drafts: { key: [owner: string, kind: string, id: string]; value: { content: unknown } };
}

/**
 * What one person typed and the server has not taken yet, in the browser's own storage: it outlives reloads,
 * crashes and signing out, and nobody else gets to see it (product section 4, Nothing typed is lost).
 */
export type Drafts<T> = {
  all(): Promise<T[]>;
  keep(id: string, draft: T): Promise<void>;
  forget(id: string): Promise<void>;
};

let opened: Promise<IDBPDatabase<DraftsSchema> | null> | undefined;

/** Null where the browser refuses storage: then drafts live as long as the page does. */
function database(): Promise<IDBPDatabase<DraftsSchema> | null> {
  opened ??= openDB<DraftsSchema>('drafts', 1, {
    upgrade: (db) => void db.createObjectStore('drafts'),
  }).catch(() => null);
  return opened;
}

/**
 * The drafts of one kind of one person.
 * @param owner the person's id
 */
export function draftsOf<T>(owner: string, kind: string): Drafts<T> {
  return {
    async all() {
      const range = IDBKeyRange.bound([owner, kind], [owner, kind, []]);
      const found = (await (await database())?.getAll('drafts', range)) ?? [];
      return found.map(({ content }) => content as T);
    },
    async keep(id, draft) {
      await (await database())?.put('drafts', { content: draft }, [owner, kind, id]);
    },
    async forget(id) {
      await (await database())?.delete('drafts', [owner, kind, id]);
    },
  };
}
