import { caselessKey } from '@forecourt/contract/characters';
import { ImportedDealership, type DealershipOption } from '@forecourt/contract/dealerships';
import { validate } from '@forecourt/contract/validate';
import { auditMany } from '../../platform/audit.ts';
import { lockName } from '../../platform/db/database.ts';
import { inTransaction, type Context, type TxContext } from '../../platform/http/context.ts';
import { invalid } from '../../platform/http/errors.ts';
import { readRows } from '../../platform/http/many-rows.ts';
import { requireAbility } from '../../platform/http/policy.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import { newId } from '../../platform/ids.ts';
import type { EmailTemplatesService } from '../email-templates/email-templates.service.ts';
import * as queries from './dealership-import.queries.ts';
import { canAdd, visibilityScopeOf } from './dealerships.policy.ts';

type Issue = { path: (string | number)[]; message: string };

/**
 * Imports all dealerships with their contacts or none, each with its audit entry, by a fixed number of statements.
 * Throws a 400 that names every invalid field, such as `dealerships.3.name`.
 */
export function createDealershipImport(templates: EmailTemplatesService) {
  return async (
    ctx: Context,
    rows: readonly object[],
  ): Promise<{ items: DealershipOption[]; total: number }> => {
    requireAbility(canAdd(ctx.viewer));
    const dealerships = await readRows(ctx, 'dealerships', rows, readDealership);
    return inTransaction(ctx, async (inner) => {
      // Serialises imports, so that the second one sees the names of the first.
      await lockName(inner.db, 'dealership-import');
      const issues = [
        ...(await wrongNames(inner, dealerships)),
        ...(await wrongTemplates(inner, dealerships)),
      ];
      if (issues.length > 0) throw invalid(issues);
      const named = await templates.withStoredNames(inner, dealerships);
      const added = named.map((dealership) => ({ ...dealership, id: newId() }));
      await queries.insertDealerships(inner.db, ctx.viewer.userId, added);
      await queries.insertContacts(inner.db, added);
      await auditMany(
        inner,
        'dealership.created',
        added.map(({ id, ...content }) => ({ recordId: id, version: 1, before: null, after: content })),
      );
      return wholeList(added.map(({ id, name, active }) => ({ _id: id, name, active })));
    });
  };

  /** Default templates must exist. Templates of contacts are named, and must be visible to the viewer. */
  async function wrongTemplates(inner: TxContext, dealerships: ImportedDealership[]): Promise<Issue[]> {
    const ids = new Set(dealerships.map(({ defaultEmailTemplateId }) => defaultEmailTemplateId));
    const missing = new Set<string>();
    for (const id of ids) if (!(await templates.exists(inner, id))) missing.add(id);
    const names = new Set((await templates.list(inner)).items.map(({ name }) => caselessKey(name)));
    return dealerships.flatMap(({ defaultEmailTemplateId, contacts }, index): Issue[] => [
      ...(missing.has(defaultEmailTemplateId)
        ? [
            {
              path: ['dealerships', index, 'defaultEmailTemplateId'],
              message: 'Default email template is required',
            },
          ]
        : []),
      ...contacts.flatMap(({ templateName }, contact) =>
        names.has(caselessKey(templateName))
          ? []
          : [
              {
                path: ['dealerships', index, 'contacts', contact, 'templateName'],
                message: 'There is no template of this name',
              },
            ],
      ),
    ]);
  }
}

function readDealership(row: object) {
  const { data, issues } = validate(ImportedDealership, row);
  return data ?? { issues };
}

/** A name must be unique in the import and among visible dealerships. */
async function wrongNames(inner: TxContext, dealerships: ImportedDealership[]): Promise<Issue[]> {
  const existing = new Set(
    (await queries.visibleNames(inner.db, visibilityScopeOf(inner.viewer))).map(caselessKey),
  );
  const met = new Set<string>();
  return dealerships.flatMap(({ name }, index) => {
    const key = caselessKey(name);
    const message = existing.has(key)
      ? 'There is already a dealership with this name'
      : met.has(key)
        ? 'This name is in the import twice'
        : undefined;
    met.add(key);
    return message === undefined ? [] : [{ path: ['dealerships', index, 'name'], message }];
  });
}
