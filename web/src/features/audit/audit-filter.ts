import { instantsOf } from '../../platform/days.ts';
import type { AuditFilter } from './audit.queries.ts';

/** What the screen is filtered by, as its address carries it. Days are `2026-11-20` on the viewer's clock. */
export type ScreenFilter = {
  actorId?: string;
  entity?: string;
  action?: string;
  recordId?: string;
  search?: string;
  fromDay?: string;
  toDay?: string;
};

const NAMES = ['actorId', 'entity', 'action', 'recordId', 'search', 'fromDay', 'toDay'] as const;

/** Leaves out what is empty or none of the filters. */
export const readFilter = (asked: Readonly<Record<string, string | undefined>>): ScreenFilter =>
  Object.fromEntries(NAMES.flatMap((name) => (asked[name] ? [[name, asked[name]]] : [])));

/** The same as the server is asked: both days included. */
export const askedOf = ({ fromDay, toDay, ...filter }: ScreenFilter): AuditFilter => ({
  ...filter,
  ...instantsOf({ fromDay, toDay }),
});
