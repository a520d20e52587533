// The users of a large company: signed in, each with permissions and rows.
import { dealColumns } from '@forecourt/contract/deal-fields';
import { sql } from 'kysely';
import { newId, newToken, tokenHash } from '../../server/src/platform/ids.ts';
import { insertPerson } from '../../server/test/people.ts';

const MONEY = new Set(['costAmount', 'grossProfit', 'commissionRate', 'commission']);
const writer = { canAddRows: true, canEditRows: true };

/** Permissions, by share of ten users. Everyone opens Data Entry and changes their own rows. */
const KINDS = [
  { of: 6, dataEntry: () => writer },
  // Two of the twenty dealerships, different ones for each of twenty users.
  {
    of: 2,
    dataEntry: (dealerships, place) => {
      const own = new Set([place, place + 1].map((number) => dealerships[number % dealerships.length]));
      const restrictedDealerships = dealerships.filter((id) => !own.has(id));
      return { ...writer, columnVisibility: { restrictedDealerships } };
    },
  },
  { of: 1, dataEntry: () => ({ ...writer, canAccessAllMonths: false }) },
  {
    of: 1,
    dataEntry: () => ({
      ...writer,
      columnVisibility: {
        viewAllColumns: false,
        visibleColumns: dealColumns.filter((column) => !MONEY.has(column)),
      },
    }),
  },
];
const inTen = KINDS.flatMap((kind) => Array.from({ length: kind.of }, () => kind));

/**
 * Adds this many users to a filled company, creates sessions without verifying passwords, and distributes the rows of
 * the month. Returns each user's token, rows, and the ids of the visible dealerships.
 */
export async function addStaff(db, { count, month }) {
  const found = await db.selectFrom('dealerships').select('id').orderBy('name').execute();
  const dealerships = found.map(({ id }) => id);
  const staff = [];
  for (let place = 0; place < count; place += 1) {
    const dataEntry = inTen[place % inTen.length].dataEntry(dealerships, Math.floor(place / inTen.length));
    const account = await insertPerson(db, { name: `Person ${place}`, permissions: { dataEntry } });
    const restricted = new Set(dataEntry.columnVisibility?.restrictedDealerships);
    const sees = new Set(dealerships.filter((id) => !restricted.has(id)));
    staff.push({ ...account, place, token: newToken(), sees, rows: [] });
  }
  await signIn(db, staff);
  await distributeRows(db, staff, month);
  return staff;
}

async function signIn(db, staff) {
  const expires_at = new Date(Date.now() + 12 * 3_600_000);
  await db
    .insertInto('sessions')
    .values(
      staff.map(({ id, token }) => ({
        id: newId(),
        token_hash: tokenHash(token),
        user_id: id,
        user_agent: 'bench',
        ip: '127.0.0.1',
        expires_at,
      })),
    )
    .execute();
}

/** Distributes the rows of the month evenly to users who see them. */
async function distributeRows(db, staff, month) {
  const rows = await db
    .selectFrom('deals')
    .select(['id', 'version', 'dealership_id as dealershipId'])
    .where('month', '=', month)
    .orderBy('id')
    .execute();
  const owners = rows.map((row) => {
    const mayOwn = staff.filter(({ sees }) => sees.has(row.dealershipId));
    const owner = mayOwn.reduce((least, person) => (person.rows.length < least.rows.length ? person : least));
    owner.rows.push(row);
    return owner.id;
  });
  await sql`update deals set owner_id = given.owner, created_by = given.owner
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${owners}::uuid[]) as given (id, owner)
    where deals.id = given.id`.execute(db);
  await sql`vacuum analyze deals`.execute(db);
}
