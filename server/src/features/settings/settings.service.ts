import { isPercentage } from '@forecourt/contract/percentage';
import type { Setting, SettingBody, SettingCategory } from '@forecourt/contract/settings';
import { audit } from '../../platform/audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { inTransaction, type Context, type Viewer, type TxContext } from '../../platform/http/context.ts';
import { AppError, invalidField } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/whole-list.ts';
import type { EventBus } from '../../platform/live/event-bus.ts';
import { createInvalidatedCache } from '../../platform/live/invalidated-cache.ts';
import {
  isCompanyOnly,
  isKnown,
  knownSettings,
  settingNames,
  type SettingName,
  type ValueOf,
} from './known-settings.ts';
import { canRead, COMPANY } from './settings.policy.ts';
import * as queries from './settings.queries.ts';

/** The record id of the company's defaults in live events and audit entries: the nil UUID. */
const COMPANY_RECORD = '00000000-0000-0000-0000-000000000000';

const userIdOf = (owner: string): string | null => (owner === COMPANY ? null : owner);
const recordIdOf = (owner: string): string => userIdOf(owner) ?? COMPANY_RECORD;

type Value = NonNullable<SettingBody['value']>;
type Listed = { items: Setting[]; total: number };

/** Commission and data entry settings of users and the company (docs/product/settings.md). */
export function createSettingsService({ eventBus }: { eventBus: EventBus }) {
  const cache = createInvalidatedCache(eventBus, 'settings', read);
  return {
    visibleIds: (viewer: Viewer, ids: string[]): Set<string> =>
      new Set(ids.filter((id) => canRead(viewer, id === COMPANY_RECORD ? COMPANY : id))),

    async list(ctx: Context, owner: string, category?: SettingCategory): Promise<Listed> {
      // Checked before the user is loaded, because the error must not reveal whether they exist.
      if (!canRead(ctx.viewer, owner)) throw new AppError('ADMIN_REQUIRED');
      await requireOwner(ctx, owner);
      return wholeList(
        (await read(ctx.db, owner)).filter(
          ({ settingName, category: own }) =>
            hasSetting(owner, settingName as SettingName) && (!category || own === category),
        ),
      );
    },

    /**
     * Returns the effective value for a user: their own, else the company's, else the default. A percentage has at most
     * 2 decimals and is exactly the entered number; null if it is not set.
     */
    valueFor: async <N extends SettingName>({ db }: Pick<Context, 'db'>, userId: string, name: N) =>
      find(await cache.get(db, userId), name).value as ValueOf<N>,

    /** Returns the company's GST in percent. */
    gstRate: async ({ db }: Pick<Context, 'db'>): Promise<number> =>
      find(await cache.get(db, COMPANY), 'statements.gstRate').value as number,

    /** Returns the commission percentages for a user's deals, each by the rule of `valueFor`. */
    async commissionRates({ db }: Pick<Context, 'db'>, userId: string) {
      const settings = await cache.get(db, userId);
      const rate = (name: SettingName) => find(settings, name).value as number | null;
      return {
        newSales: rate('commission.newSales'),
        usedSales: rate('commission.usedSales'),
        defaultSales: rate('commission.defaultSales'),
      };
    },

    /**
     * Sets the value of an owner. Sending back the result of a GET changes nothing, even if the value is inherited or
     * not set. Throws a 400 that names an invalid field, also for a setting of the company alone, and CONFLICT with the
     * current setting if `version` is outdated.
     */
    async set(ctx: Context, owner: string, name: string, body: SettingBody): Promise<Setting> {
      const definition = requireKnown(name);
      requireSetting(owner, definition);
      checkBody(definition, body);
      return inTransaction(ctx, async (inner) => {
        const before = await locked(inner, owner, definition, body.version);
        const isInherited = body.inherited ?? body.value === null;
        if (before.value === body.value && before.inherited === isInherited) return before;
        const value = requireValue(definition, body);
        await cache.changed(inner);
        return save(inner, owner, before, value);
      });
    },

    /** Throws CONFLICT if the viewer already has a value. */
    async create(ctx: Context, name: string, body: SettingBody): Promise<Setting> {
      if (!isKnown(name)) throw invalidField('settingName', 'There is no setting of this name');
      const owner = ctx.viewer.userId;
      requireSetting(owner, name);
      checkBody(name, body);
      const value = requireValue(name, body);
      return inTransaction(ctx, async (inner) => {
        const before = await locked(inner, owner, name);
        if (!before.inherited) {
          throw new AppError('CONFLICT', { message: 'You have this setting already', current: before });
        }
        await cache.changed(inner);
        return save(inner, owner, before, value);
      });
    },

    /**
     * Removes the value of an owner, so that the default applies. Throws CONFLICT with the current setting if `version`
     * is outdated, and NOT_FOUND if there is no value.
     */
    async remove(ctx: Context, owner: string, name: string, version?: number): Promise<undefined> {
      const definition = requireKnown(name);
      requireSetting(owner, definition);
      await inTransaction(ctx, async (inner) => {
        const before = await locked(inner, owner, definition, version);
        if (before.inherited) throw new AppError('NOT_FOUND');
        await cache.changed(inner);
        await queries.deleteSetting(inner.db, userIdOf(owner), definition);
        await audit(inner, 'setting.deleted', recordIdOf(owner), { before: { [definition]: before.value } });
      });
    },

    /**
     * Stores the defaults as the company's values where it has none (docs/product/settings.md, Owners of a setting).
     * Rates have no default: 0 percent is a valid rate that must be set explicitly.
     */
    async initialize(ctx: Context): Promise<Listed> {
      return inTransaction(ctx, async (inner) => {
        await queries.lockOwner(inner.db, COMPANY);
        await cache.changed(inner);
        for (const missing of (await read(inner.db, COMPANY)).filter(({ inherited }) => inherited)) {
          if (missing.value !== null) await save(inner, COMPANY, missing, missing.value);
        }
        return wholeList(await read(inner.db, COMPANY));
      });
    },
  };
}

export type SettingsService = ReturnType<typeof createSettingsService>;

async function read(db: Db | TxContext['db'], owner: string): Promise<Setting[]> {
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

/** Throws CONFLICT with the current setting if `version` is outdated; null means that the caller saw no value. */
async function locked(
  inner: TxContext,
  owner: string,
  name: SettingName,
  version?: number | null,
): Promise<Setting> {
  await requireOwner(inner, owner);
  await queries.lockOwner(inner.db, owner);
  const current = find(await read(inner.db, owner), name);
  if (version !== undefined && version !== current.version) throw new AppError('CONFLICT', { current });
  return current;
}

async function save(inner: TxContext, owner: string, before: Setting, value: Value): Promise<Setting> {
  const name = before.settingName as SettingName;
  await queries.saveSetting(inner.db, userIdOf(owner), name, value);
  const after = find(await read(inner.db, owner), name);
  await audit(inner, before.inherited ? 'setting.created' : 'setting.updated', recordIdOf(owner), {
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

const hasSetting = (owner: string, name: SettingName): boolean => owner === COMPANY || !isCompanyOnly(name);

/** Throws a 400 for a person’s value of a setting that the company alone has. */
function requireSetting(owner: string, name: SettingName): void {
  if (!hasSetting(owner, name)) throw invalidField('userId', 'This setting belongs to the company');
}

const LABELS = { dataType: 'data type', category: 'category', description: 'description' } as const;

const wrongType = (name: SettingName): AppError =>
  invalidField(
    'value',
    knownSettings[name].dataType === 'number' ? 'Must be a number' : 'Must be true or false',
  );

function requireValue(name: SettingName, { value }: SettingBody): Value {
  if (value === null) throw wrongType(name);
  return value;
}

/** Throws a 400 for a value of a wrong type or range, and for metadata that differs from the definition. */
function checkBody(name: SettingName, { value, ...body }: SettingBody): void {
  const definition = knownSettings[name];
  if (value !== null && typeof value !== definition.dataType) throw wrongType(name);
  if (typeof value === 'number' && !isPercentage(value)) {
    throw invalidField('value', 'Must be a number from 0 to 100 with at most 2 decimals');
  }
  for (const field of ['dataType', 'category', 'description'] as const) {
    if (body[field] !== undefined && body[field] !== definition[field]) {
      throw invalidField(field, `The ${LABELS[field]} of this setting cannot be changed`);
    }
  }
}
