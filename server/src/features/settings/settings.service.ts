import type { Setting, SettingBody, SettingCategory } from '@forecourt/contract/settings';
import { audit } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import type { Notices } from '../../platform/live/notices.ts';
import { createRemembered } from '../../platform/live/remembered.ts';
import type { Writing } from '../../platform/records.ts';
import { isKnown, knownSettings, settingNames, type SettingName, type ValueOf } from './known-settings.ts';
import { canRead, COMPANY } from './settings.policy.ts';
import * as queries from './settings.queries.ts';

const entity = 'setting' as const;

/** Under which live events and audit entries know the company's defaults, which are nobody's: the nil UUID. */
const COMPANY_RECORD = '00000000-0000-0000-0000-000000000000';

/** `owner` is a person's id, or `company` for what holds where a person has none of their own. */
const userIdOf = (owner: string): string | null => (owner === COMPANY ? null : owner);
const recordIdOf = (owner: string): string => userIdOf(owner) ?? COMPANY_RECORD;

type Listed = { items: Setting[]; total: number };

/** Commission and data entry settings of people and the company (spec.md sections 2 and 7, product.md section 5). */
export function createSettingsService({ notices }: { notices: Notices }) {
  const remembered = createRemembered(notices, 'settings', read);
  return {
    /** Of these audited records those that a viewer may know of: for live events. */
    visibleIds: (viewer: Viewer, ids: string[]): Set<string> =>
      new Set(ids.filter((id) => canRead(viewer, id === COMPANY_RECORD ? COMPANY : id))),

    /** All settings as they hold for somebody, or those of one category. */
    async list(ctx: Context, owner: string, category?: SettingCategory): Promise<Listed> {
      // Before it is known whether there is such a person: a refusal tells nothing of it.
      if (!canRead(ctx.viewer, owner)) throw new AppError('ADMIN_REQUIRED');
      await requireOwner(ctx, owner);
      const items = (await read(ctx.db, owner)).filter(
        (setting) => !category || setting.category === category,
      );
      return { items, total: items.length };
    },

    /**
     * What holds for a person: their own value, else the company's, else the product's. A percentage has at most
     * 2 decimals and is the number that was typed.
     */
    valueFor: async <N extends SettingName>({ db }: Pick<Context, 'db'>, userId: string, name: N) =>
      find(await remembered.get(db, userId), name).value as ValueOf<N>,

    /** The percentages by which somebody's deals earn, each as `valueFor` has it. */
    async commissionRates({ db }: Pick<Context, 'db'>, userId: string) {
      const settings = await remembered.get(db, userId);
      const rate = (name: SettingName) => Number(find(settings, name).value);
      return {
        newSales: rate('commission.newSales'),
        usedSales: rate('commission.usedSales'),
        defaultSales: rate('commission.defaultSales'),
      };
    },

    /**
     * Gives somebody a value of their own. Throws a 400 that names what does not fit the setting, CONFLICT with
     * the setting as it is when `version` is not the one of now.
     */
    async set(ctx: Context, owner: string, name: string, body: SettingBody): Promise<Setting> {
      const known = requireKnown(name);
      checkBody(known, body);
      return inTransaction(ctx, async (inner) => {
        const before = await locked(inner, owner, known);
        if (body.version !== undefined && body.version !== before.version) {
          throw new AppError('CONFLICT', { current: before });
        }
        if (!before.inherited && before.value === body.value) return before;
        await remembered.changed(inner);
        return save(inner, owner, before, body.value);
      });
    },

    /** The same where the viewer has none of their own yet; else CONFLICT. */
    async create(ctx: Context, name: string, body: SettingBody): Promise<Setting> {
      if (!isKnown(name)) throw invalidField('settingName', 'There is no setting of this name');
      checkBody(name, body);
      const owner = ctx.viewer.userId;
      return inTransaction(ctx, async (inner) => {
        const before = await locked(inner, owner, name);
        if (!before.inherited) {
          throw new AppError('CONFLICT', { message: 'You have this setting already', current: before });
        }
        await remembered.changed(inner);
        return save(inner, owner, before, body.value);
      });
    },

    /** Somebody goes back to what holds for everybody. Throws NOT_FOUND where they have no value of their own. */
    async remove(ctx: Context, owner: string, name: string): Promise<undefined> {
      const known = requireKnown(name);
      await inTransaction(ctx, async (inner) => {
        const before = await locked(inner, owner, known);
        if (before.inherited) throw new AppError('NOT_FOUND');
        await remembered.changed(inner);
        await queries.deleteSetting(inner.db, userIdOf(owner), known);
        await audit(inner.db, ctx, {
          action: 'setting.deleted',
          entity,
          recordId: recordIdOf(owner),
          before: { [known]: before.value },
        });
      });
    },

    /** Writes down the product's defaults as the company's where it has none, and changes no other (security.md G3). */
    async initialize(ctx: Context): Promise<Listed> {
      return inTransaction(ctx, async (inner) => {
        await queries.lockOwner(inner.db, COMPANY);
        await remembered.changed(inner);
        for (const missing of (await read(inner.db, COMPANY)).filter(({ inherited }) => inherited)) {
          await save(inner, COMPANY, missing, missing.value);
        }
        const items = await read(inner.db, COMPANY);
        return { items, total: items.length };
      });
    },
  };
}

export type SettingsService = ReturnType<typeof createSettingsService>;

/** Every known setting as it holds for somebody, in its order. */
async function read(db: Db | Writing['db'], owner: string): Promise<Setting[]> {
  const rows = await queries.listOwn(db, userIdOf(owner));
  return settingNames.map((name) => {
    const { category, dataType, description, default: byDefault } = knownSettings[name];
    const rowOf = (userId: string | null) => rows.find((row) => row.name === name && row.user_id === userId);
    const own = rowOf(userIdOf(owner));
    return {
      settingName: name,
      value: ((own ?? rowOf(null))?.value as Setting['value'] | undefined) ?? byDefault,
      dataType,
      category,
      description,
      userId: owner,
      inherited: own === undefined,
      version: own?.version ?? null,
      updatedAt: own?.updated_at ?? null,
    };
  });
}

async function requireOwner({ db }: Pick<Context, 'db'>, owner: string): Promise<void> {
  if (owner !== COMPANY && !(await queries.isPerson(db, owner))) throw new AppError('NOT_FOUND');
}

const find = (settings: Setting[], name: SettingName): Setting =>
  settings.find(({ settingName }) => settingName === name)!;

async function locked(inner: Writing, owner: string, name: SettingName): Promise<Setting> {
  await requireOwner(inner, owner);
  await queries.lockOwner(inner.db, owner);
  return find(await read(inner.db, owner), name);
}

async function save(
  inner: Writing,
  owner: string,
  before: Setting,
  value: Setting['value'],
): Promise<Setting> {
  const name = before.settingName as SettingName;
  await queries.saveSetting(inner.db, userIdOf(owner), name, value);
  const after = find(await read(inner.db, owner), name);
  await audit(inner.db, inner, {
    action: before.inherited ? 'setting.created' : 'setting.updated',
    entity,
    recordId: recordIdOf(owner),
    version: after.version,
    before: before.inherited ? null : { [name]: before.value },
    after: { [name]: value },
  });
  return after;
}

function requireKnown(name: string): SettingName {
  if (!isKnown(name)) throw new AppError('NOT_FOUND');
  return name;
}

/** Throws a 400 that names the value of a wrong type or range, or what is said of the setting and is not so. */
function checkBody(name: SettingName, { value, ...body }: SettingBody): void {
  const known = knownSettings[name];
  if (typeof value !== known.dataType) {
    throw invalidField('value', known.dataType === 'number' ? 'Must be a number' : 'Must be true or false');
  }
  if (typeof value === 'number' && !isPercent(value)) {
    throw invalidField('value', 'Must be a number from 0 to 100 with at most 2 decimals');
  }
  for (const field of ['dataType', 'category', 'description'] as const) {
    if (body[field] !== undefined && body[field] !== known[field]) {
      throw invalidField(field, `This setting's is ${known[field]} and cannot be changed`);
    }
  }
}

const isPercent = (value: number): boolean =>
  value >= 0 && value <= 100 && Number(value.toFixed(2)) === value;
