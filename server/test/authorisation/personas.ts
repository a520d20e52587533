import { permissionDefaults } from '@forecourt/contract/permission-defaults';
import type { TestApp } from '../app.ts';
import type { NewPerson } from '../people.ts';

/** Somebody who calls. `asAdmin`: an administrator's session that looks at the product as this person. */
export type Persona = {
  name: string;
  userId: string | null;
  token?: string;
  headers?: Record<string, string>;
};

/** Nobody gets in with these sessions; the code of the refusal. */
export const KEPT_OUT: Record<string, { status: number; code: string }> = {
  anonymous: { status: 401, code: 'NOT_SIGNED_IN' },
  'unknown token': { status: 401, code: 'NOT_SIGNED_IN' },
  'expired session': { status: 401, code: 'NOT_SIGNED_IN' },
  'idle session': { status: 401, code: 'NOT_SIGNED_IN' },
  'revoked session': { status: 401, code: 'NOT_SIGNED_IN' },
  deactivated: { status: 401, code: 'NOT_SIGNED_IN' },
  'must change password': { status: 403, code: 'PASSWORD_CHANGE_REQUIRED' },
  'must set up two-step': { status: 403, code: 'TWO_STEP_SETUP_REQUIRED' },
};

/** `flag dataEntry.canAddRows` and the like: the one flag turned round, all others at their default. */
const flagPersonas: [string, NewPerson][] = Object.entries(permissionDefaults).flatMap(([group, flags]) =>
  Object.entries(flags).map(([flag, byDefault]): [string, NewPerson] => [
    `${byDefault ? 'without' : 'with'} ${group}.${flag}`,
    { permissions: { [group]: { [flag]: !byDefault } } },
  ]),
);

/** Who has rights that only work together. */
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
  // The status of the call is granted to them with the records.
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

/** Those whose relation to the records of a call is made with the records; see `world.ts`. */
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
] as const;
export type Related = (typeof RELATED)[number];

/** With what lets an owner or a colleague with a share use them. */
const WORKING: NewPerson = {
  permissions: {
    features: { bulkEdit: true, manageTemplates: true, manageItems: true },
    dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true, canChangeOwnership: true },
  },
};

/** Everybody whom the matrix has, with a session each. */
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
  await server.db
    .updateTable('users')
    .set({ two_step_required: true })
    .where('id', '=', mustSetUp.userId)
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
