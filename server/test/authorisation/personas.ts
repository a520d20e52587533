import { permissionDefaults } from '@forecourt/contract/permission-defaults';
import { flagNeeds, type FlagKey } from '@forecourt/contract/permission-needs';
import { newId, newToken, tokenHash } from '../../src/platform/ids.ts';
import type { TestApp } from '../app.ts';
import type { NewPerson } from '../people.ts';

/** A caller of the matrix. `asAdmin`: an administrator's session that views the product as this user. */
export type Persona = {
  name: string;
  userId: string | null;
  token?: string;
  headers?: Record<string, string>;
};

/** Sessions that are blocked before authorisation, with the error code. */
export const REJECTED: Record<string, { status: number; code: string }> = {
  anonymous: { status: 401, code: 'NOT_SIGNED_IN' },
  'unknown token': { status: 401, code: 'NOT_SIGNED_IN' },
  'expired session': { status: 401, code: 'NOT_SIGNED_IN' },
  'idle session': { status: 401, code: 'NOT_SIGNED_IN' },
  'revoked session': { status: 401, code: 'NOT_SIGNED_IN' },
  deactivated: { status: 401, code: 'NOT_SIGNED_IN' },
  'must change password': { status: 403, code: 'PASSWORD_CHANGE_REQUIRED' },
  'must set up two-step': { status: 403, code: 'TWO_STEP_SETUP_REQUIRED' },
};

/** `flag dataEntry.canAddRows` and so on: that flag inverted, all others at their default. */
const flagPersonas: [string, NewPerson][] = Object.entries(permissionDefaults).flatMap(([group, flags]) =>
  Object.entries(flags).map(([flag, byDefault]): [string, NewPerson] => [
    `${byDefault ? 'without' : 'with'} ${group}.${flag}`,
    { permissions: { [group]: { [flag]: !byDefault } } },
  ]),
);

/** Combinations of flags that only take effect together. */
const COMBINED: [string, NewPerson][] = [
  ['template manager', { permissions: { features: { manageTemplates: true } } }],
  [
    'template editor',
    {
      permissions: {
        features: { manageTemplates: true },
        emailTemplateConfiguration: { viewTemplates: true, editTemplates: true },
      },
    },
  ],
  [
    'dealership editor',
    {
      permissions: {
        dealershipConfiguration: { viewDealerships: true, editDealerships: true, deleteDealerships: true },
      },
    },
  ],
  ['item manager', { permissions: { features: { manageItems: true } } }],
  [
    'item editor',
    {
      permissions: {
        features: { manageItems: true },
        itemConfiguration: { viewItems: true, editItems: true },
      },
    },
  ],
  // Its permission on the status is granted when the records are created.
  ['status editor', {}],
  ['clerk', { permissions: { dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true } } }],
  [
    'team lead',
    {
      permissions: {
        features: { bulkEdit: true },
        dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true, canChangeOwnership: true },
      },
    },
  ],
];

/** Personas defined by their relation to the records of a call; see `world.ts`. */
export const RELATED = [
  'owner',
  'write share',
  'read share',
  'full share',
  'restricted row',
  'restricted dealership',
  'restricted status',
  'restricted first day',
  'restricted last day',
  'restricted columns',
  'restricted to own rows',
] as const;
export type Related = (typeof RELATED)[number];

/** The flags that let an owner or a colleague with a share use them. */
const WORKING: NewPerson = {
  permissions: {
    features: { bulkEdit: true, manageTemplates: true, manageItems: true },
    dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true, canChangeOwnership: true },
  },
};

type Flags = Record<string, Record<string, boolean>>;

/**
 * Creates two users who differ only in flags without effect: the first has all of them, the second none. Both have only
 * the required flags that `has` names.
 */
export async function makeTwins(server: TestApp, has: readonly FlagKey[]): Promise<[Persona, Persona]> {
  const idle = (Object.entries(flagNeeds) as [FlagKey, FlagKey[][]][])
    .filter(([, needs]) => needs.some((any) => !any.some((need) => has.includes(need))))
    .map(([flag]) => flag)
    .filter((flag) => !has.includes(flag));
  const make = async (name: string, on: readonly FlagKey[]): Promise<Persona> => {
    const permissions: Flags = {};
    for (const [group, flags] of Object.entries(permissionDefaults))
      permissions[group] = Object.fromEntries(
        Object.keys(flags).map((flag) => [flag, on.includes(`${group}.${flag}` as FlagKey)]),
      );
    const { id, token } = await server.person({ name, permissions });
    return { name, userId: id, token };
  };
  return [await make('with idle flags', [...has, ...idle]), await make('without idle flags', has)];
}

/** Creates every persona of the matrix with a session each. */
export async function makePersonas(server: TestApp): Promise<Persona[]> {
  const add = async (name: string, person: NewPerson = {}): Promise<Persona & { userId: string }> => {
    const { id, token } = await server.person({ ...person, name });
    return { name, userId: id, token };
  };
  const personas: Persona[] = [
    { name: 'anonymous', userId: null },
    { name: 'unknown token', userId: null, token: 'no such token' },
    await add('administrator', { role: 'admin' }),
    await add('default user'),
    await add('stranger'),
  ];
  const sessionOf = ({ userId }: Persona) => server.db.updateTable('sessions').where('user_id', '=', userId);
  const expired = await add('expired session');
  await sessionOf(expired)
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute();
  const idle = await add('idle session');
  await sessionOf(idle)
    .set({ last_used_at: new Date(Date.now() - 61 * 60_000) })
    .execute();
  const revoked = await add('revoked session', { role: 'admin' });
  await sessionOf(revoked).set({ ended_at: new Date() }).execute();
  const deactivated = await add('deactivated', { role: 'admin' });
  await server.db
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', deactivated.userId)
    .execute();
  const mustChange = await add('must change password', { role: 'admin', mustChangePassword: true });
  const mustSetUp = await add('must set up two-step', { role: 'admin' });
  // A user who must do both changes the password first.
  await server.db
    .updateTable('users')
    .set({ two_step_required: true })
    .where('id', 'in', [mustChange.userId, mustSetUp.userId])
    .execute();
  personas.push(expired, idle, revoked, deactivated, mustChange, mustSetUp);

  for (const [name, person] of [...flagPersonas, ...COMBINED]) personas.push(await add(name, person));
  for (const name of RELATED) personas.push(await add(name, WORKING));

  const viewing = await add('administrator who views', { role: 'admin' });
  const other = await add('viewed administrator', { role: 'admin' });
  const { body } = await server.call(`POST /permissions/user/${other.userId}/view-as`, {
    token: viewing.token!,
  });
  personas.push({ ...viewing, headers: { 'x-view-as': body.viewAs } });
  return personas;
}

/**
 * Creates another session of the same user, for calls that end theirs. Returns the old token if the user cannot sign
 * in.
 */
export async function anotherSession(
  { db }: TestApp,
  { name, userId, headers, token }: Persona,
): Promise<string | undefined> {
  if (userId === null || headers || REJECTED[name]?.status === 401) return token;
  const fresh = newToken();
  const from = db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null);
  const session = await from.orderBy('created_at').limit(1).executeTakeFirstOrThrow();
  await db
    .insertInto('sessions')
    .values({ ...session, id: newId(), token_hash: tokenHash(fresh) })
    .execute();
  return fresh;
}
