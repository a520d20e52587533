import { isDeepStrictEqual } from 'node:util';
import type {
  DealershipChange,
  DealershipValue,
  StoredContact,
} from '@forecourt/contract/dealership-timeline';
import type { Context } from '../../platform/http/context.ts';
import { namesOf } from '../../platform/records.queries.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import { listEntries } from './dealership-history.queries.ts';

type Changes = DealershipChange['changes'];
type Share = { userId: string; permissions: 'read' | 'write' | 'admin' };

/** The values of an audit entry. The entry of an activation or deactivation has only the state. */
type Values = {
  name?: string;
  address?: string;
  active?: boolean;
  defaultEmailTemplateId?: string | null;
  contacts?: StoredContact[];
  owner?: string;
  sharedWith?: Share[];
  reason?: string;
};

type Names = { template: ReadonlyMap<string, string>; user: ReadonlyMap<string, string> };

type Parts = {
  templates: Pick<EmailTemplatesService, 'list'>;
  /** Throws NOT_FOUND unless the viewer may see the dealership. */
  load: (ctx: Context, id: string) => Promise<unknown>;
};

/**
 * Returns a function that returns the changes of a dealership, with names instead of ids (docs/product/dealerships.md,
 * A page for one dealership). Viewers of the dealership see changes of its fields and contacts; only administrators see
 * those of owner and shares. Names of hidden templates are omitted.
 */
export function createDealershipHistory({ templates, load }: Parts) {
  return async (ctx: Context, id: string): Promise<DealershipChange[]> => {
    await load(ctx, id);
    const entries = (await listEntries(ctx.db, id)).map((entry) => ({
      ...entry,
      before: (entry.before ?? {}) as Values,
      after: (entry.after ?? {}) as Values,
    }));
    const isAdmin = ctx.viewer.role === 'admin';
    const people = entries
      .flatMap(({ before, after }) => [before, after])
      .flatMap(({ owner, sharedWith = [] }) => [
        ...(owner === undefined ? [] : [owner]),
        ...sharedWith.map(({ userId }) => userId),
      ]);
    const { items } = await templates.list(ctx);
    const names: Names = {
      template: new Map(items.map(({ _id, name }) => [_id, name])),
      user: isAdmin ? await namesOf(ctx.db, 'users', [...new Set(people)]) : new Map(),
    };
    return entries.flatMap((entry): DealershipChange[] => {
      const { before, after } = entry;
      const changes = [
        ...fieldChanges(before, after, names),
        ...(isAdmin ? accessChanges(before, after, names) : []),
      ];
      if (changes.length === 0) return [];
      return [
        {
          _id: String(entry.id),
          at: entry.created_at,
          action: entry.action.slice('dealership.'.length) as DealershipChange['action'],
          byName: entry.actor_name,
          reason: after.reason ?? '',
          changes,
        },
      ];
    });
  };
}

/** Returns the values that differ, out of those that the entry has. */
const differing = (
  field: Changes[number]['field'],
  before: DealershipValue,
  after: DealershipValue,
): Changes => (isDeepStrictEqual(before, after) ? [] : [{ field, before, after }]);

function fieldChanges(before: Values, after: Values, names: Names): Changes {
  const templateOf = ({ defaultEmailTemplateId: id }: Values) => names.template.get(id ?? '') ?? null;
  return [
    ...differing('name', before.name ?? null, after.name ?? null),
    ...differing('address', before.address ?? null, after.address ?? null),
    ...differing('template', templateOf(before), templateOf(after)),
    ...differing('active', before.active ?? null, after.active ?? null),
    ...contactChanges(before.contacts ?? [], after.contacts ?? []),
  ];
}

/** Returns the contacts that were added, changed or removed. A contact is identified by its address. */
function contactChanges(before: readonly StoredContact[], after: readonly StoredContact[]): Changes {
  const isIn = (list: readonly StoredContact[]) => (contact: StoredContact) =>
    list.some((other) => isDeepStrictEqual(contact, other));
  const former = before.filter((contact) => !isIn(after)(contact));
  const changed = after
    .filter((contact) => !isIn(before)(contact))
    .map((contact) => {
      const at = former.findIndex(({ email }) => email === contact.email);
      const [was = null] = at < 0 ? [] : former.splice(at, 1);
      return { field: 'contact' as const, before: was, after: contact };
    });
  return [
    ...changed,
    ...former.map((contact) => ({ field: 'contact' as const, before: contact, after: null })),
  ];
}

function accessChanges(before: Values, after: Values, names: Names): Changes {
  const nameOf = (id: string | undefined): string | null =>
    id === undefined ? null : (names.user.get(id) ?? '');
  const sharesOf = ({ sharedWith }: Values) =>
    (sharedWith ?? []).map(({ userId, permissions }) => ({ name: nameOf(userId)!, permissions }));
  return [
    ...differing('owner', nameOf(before.owner), nameOf(after.owner)),
    ...differing('sharedWith', sharesOf(before), sharesOf(after)),
  ];
}
