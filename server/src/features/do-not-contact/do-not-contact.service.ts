import {
  contactColumns,
  contactKinds,
  MAX_CONTACTS,
  MAX_CONTACTS_EACH,
  readContact,
  type ContactKind,
} from '@forecourt/contract/contact-value';
import type { DoNotContact, NewDoNotContact } from '@forecourt/contract/do-not-contact';
import { audit, auditMany } from '../../platform/audit.ts';
import { lockName, type Db } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalid, invalidField } from '../../platform/http/errors.ts';
import { dataEntryPage, isAdmin, requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import type { HiddenChange } from '../../platform/live/event-filter.ts';
import { pick } from '../../platform/sharing/records.ts';
import type { DealsService } from '../deals/deals.service.ts';
import { canRemove } from './do-not-contact.policy.ts';
import * as queries from './do-not-contact.queries.ts';

const LABELS: Record<ContactKind, string> = { phone: 'phone numbers', email: 'email addresses' };

/**
 * The Do not contact list (docs/product/data-entry.md, Do not contact). A viewer sees phone numbers or addresses only
 * if they see that column of deals; the list names no deal.
 */
export function createDoNotContactService({ columnsOf }: Pick<DealsService['exports'], 'columnsOf'>) {
  function kindsFor(viewer: Viewer): ContactKind[] {
    if (dataEntryPage.allows?.(viewer) !== true) return [];
    const columns = columnsOf(viewer);
    return contactKinds.filter((kind) => columns.includes(contactColumns[kind]));
  }

  return {
    list: async ({ db, viewer }: Context): Promise<{ items: DoNotContact[]; total: number }> =>
      wholeList((await queries.listEntries(db, kindsFor(viewer))).map((row) => present(viewer, row))),

    /** Adds the values that are not listed yet and returns them. Throws a 400 for a kind hidden from the viewer. */
    add: (ctx: Context, { values, reason }: NewDoNotContact) =>
      inTransaction(ctx, async (inner) => {
        const { db, viewer } = inner;
        const kinds = kindsFor(viewer);
        const contacts = values.map((text) => readContact(text)!);
        const hidden = contacts.findIndex(({ kind }) => !kinds.includes(kind));
        if (hidden >= 0)
          throw invalid([
            { path: ['values', hidden], message: `You may not see ${LABELS[contacts[hidden]!.kind]}` },
          ]);
        await lockName(db, 'do-not-contact');
        const rows = [...new Map(contacts.map((one) => [one.value, one])).values()].map((contact) => ({
          ...contact,
          id: newId(),
          reason,
          added_by: viewer.userId,
        }));
        const ids = await queries.insertEntries(db, rows);
        const { all, own } = await queries.countEntries(db, viewer.userId);
        if (all > MAX_CONTACTS) throw tooMany(`The list has at most ${inWords(MAX_CONTACTS)} entries.`);
        if (!isAdmin(viewer) && own > MAX_CONTACTS_EACH)
          throw tooMany(
            `You may add at most ${inWords(MAX_CONTACTS_EACH)} entries to the list. Ask an administrator to add these.`,
          );
        const added = await queries.findEntries(db, kinds, ids);
        const records = added.map((row) => ({ recordId: row.id, after: recorded(row) }));
        await auditMany(inner, 'do-not-contact.created', records);
        return wholeList(added.map((row) => present(viewer, row)));
      }),

    remove: (ctx: Context, id: string): Promise<undefined> =>
      inTransaction(ctx, async (inner) => {
        const { db, viewer } = inner;
        await lockName(db, 'do-not-contact');
        const [row] = await queries.findEntries(db, kindsFor(viewer), [id]);
        if (!row) throw new AppError('NOT_FOUND');
        requireAbility(canRemove(viewer, row));
        await queries.deleteEntry(db, id);
        await audit(inner, 'do-not-contact.deleted', id, { before: recorded(row) });
        return undefined;
      }),

    /** Returns visible entries by value; `values` may be in any notation. */
    async find(
      { db, viewer }: Pick<Context, 'db' | 'viewer'>,
      texts: readonly string[],
    ): Promise<Map<string, queries.EntryRow>> {
      const values = texts.flatMap((text) => readContact(text)?.value ?? []);
      const rows = values.length > 0 ? await queries.findByValue(db, kindsFor(viewer), values) : [];
      return new Map(rows.map((row) => [row.value, row]));
    },

    visibleIds: async (db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> =>
      new Set((await queries.findEntries(db, kindsFor(viewer), ids)).map(({ id }) => id)),

    /** Whether a viewer saw an entry that was removed. */
    wasVisible: (viewer: Viewer, { past }: HiddenChange): boolean =>
      kindsFor(viewer).some((kind) => kind === past.before['kind']),
  };
}

export type DoNotContactService = ReturnType<typeof createDoNotContactService>;

const inWords = (count: number): string => count.toLocaleString('en-AU');

const tooMany = (message: string): AppError => invalidField('values', `${message} Nothing was added.`);

const recorded = (row: queries.EntryRow) => pick(row, ['kind', 'value', 'reason']);

const present = (viewer: Viewer, row: queries.EntryRow): DoNotContact => ({
  _id: row.id,
  ...recorded(row),
  addedBy: row.added_by,
  addedByName: row.added_by_name,
  createdAt: row.created_at,
  abilities: { delete: canRemove(viewer, row) },
});
