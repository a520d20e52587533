import { instantsOf } from '../../platform/days.ts';
import type { AuditFilter } from './audit.queries.ts';

const NAMES = ['actorId', 'entity', 'action', 'recordId', 'search', 'fromDay', 'toDay'] as const;

/** The filters of the screen, as in its address. Days are `2026-11-20` in the browser's zone. */
export type ScreenFilter = Partial<Record<(typeof NAMES)[number], string>>;

/** Returns the valid, non-empty filters. */
export const readFilter = (search: Readonly<Record<string, string | undefined>>): ScreenFilter =>
  Object.fromEntries(NAMES.flatMap((name) => (search[name] ? [[name, search[name]]] : [])));

/** Returns the filters as sent to the server: both days included. */
export const queryOf = ({ fromDay, toDay, ...filter }: ScreenFilter): AuditFilter => ({
  ...filter,
  ...instantsOf({ fromDay, toDay }),
});
