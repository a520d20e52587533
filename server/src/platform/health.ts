import { sql } from 'kysely';
import type { Db } from './db/database.ts';

/** Anybody may ask, so the database is asked at most this often. */
const FRESH_MS = 1000;

/** Whether requests can be served at the moment. */
export function createHealth(db: Db) {
  let answer: { isServing: Promise<boolean>; until: number } | undefined;
  return {
    isServing(): Promise<boolean> {
      if (!answer || answer.until < performance.now()) {
        const isServing = sql`select 1`.execute(db).then(
          () => true,
          () => false,
        );
        answer = { isServing, until: performance.now() + FRESH_MS };
      }
      return answer.isServing;
    },
  };
}
