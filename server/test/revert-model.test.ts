import { afterAll, expect, test } from 'vitest';
import { callToEnd, makeOne } from '../src/features/backups/backups.fixture.ts';
import { hashedId, newId } from '../src/platform/ids.ts';
import { testApp, type Person } from './app.ts';
import { addDealership } from './builders.ts';
import { seededRandom } from './seeded-random.ts';

const STEPS = process.env.LONG_TESTS ? 5000 : 200;
const ROWS = 12;

const server = await testApp();
const admin = await server.person({ role: 'admin', name: 'Ada Admin' });
const dealershipId = await addDealership(server, admin, { name: 'Harbour Used Cars' });
const permissions = {
  dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true, canAccessAllMonths: true },
  features: { bulkEdit: true },
} as never;
const people = [
  admin,
  await server.person({ name: 'Cleo Clerk', permissions }),
  await server.person({ name: 'Olga Other', permissions }),
];
afterAll(() => server.close());

const FIELDS = { notes: '', vehicle: '', saleAmount: null, status: 'Entered' } as const;
type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as Field[];
type Values = Record<Field, string | number | null>;
/** A row of the model. Its creator and administrators may change it. */
type Row = {
  values: Values;
  isDeleted: boolean;
  createdBy: string;
  deletedBy: string | null;
  /** The row into which this one was merged. */
  mergedInto: string | null;
};
/** A row before and after a set; null before it was added. */
type Step = { before: Row | null; after: Row };
type ModelSet = {
  id: string;
  by: Person;
  steps: Map<string, Step>;
  /** The rows that the set merged or separated, each with its survivor. */
  merges: (readonly [id: string, survivor: string])[];
};
type Entry = {
  id: string;
  set: ModelSet;
  fields: readonly Field[];
  isDeletion: boolean;
  mergedInto: string | null;
};
/** What a revert does to a row; null: it is refused. */
type Outcome = { before: Row | null; next: Row; changed: Field[]; fields: Field[]; later: Field[] } | null;

const emptySet = (by: Person): ModelSet => ({ id: '', by, steps: new Map(), merges: [] });
const clone = (row: Row): Row => ({ ...row, values: { ...row.values } });

test(
  `after ${STEPS} random changes, imports, merges, copies from backups and reverts by three people every row and comment is as in a plain model`,
  { timeout: 120_000 + STEPS * 500 },
  async () => {
    const random = seededRandom('revert-model');
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const rows = new Map<string, Row>();
    const dealNumbers = new Map<string, string>();
    const sets: ModelSet[] = [];
    /** What happened to the rows, oldest first. */
    const log: Entry[] = [];
    /** The row of each comment. */
    const comments = new Map<string, string>();
    /** The comments that a merge moved away from a row. */
    const moved = new Map<string, Set<string>>();
    /** The last backup, with the rows that were there. */
    let backup: { name: string; rows: Map<string, Row> } | null = null;
    const seen = {
      changes: 0,
      imports: 0,
      merges: 0,
      backups: 0,
      copies: 0,
      reverts: 0,
      reverted: 0,
      left: 0,
      refused: 0,
    };
    let number = 0;

    const mayEdit = (by: Person, row: Row): boolean => by === admin || row.createdBy === by.id;
    const mayRead = (by: Person, row: Row): boolean =>
      !row.isDeleted || by === admin || row.deletedBy === by.id;
    const call = async (by: Person, route: string, body: object, key?: string) => {
      const headers = key === undefined ? {} : { 'x-change-set': `bulk ${key}` };
      const reply = await server.call(route, { token: by.token, body, headers });
      expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
      return reply.body;
    };
    /** Applies a change to the model. */
    const record = (set: ModelSet, id: string, after: Row, fields: readonly Field[]): void => {
      const was = rows.get(id);
      const before = set.steps.get(id)?.before ?? (set.steps.has(id) || !was ? null : clone(was));
      set.steps.set(id, { before, after: clone(after) });
      const { isDeleted, mergedInto } = after;
      log.push({ id, set, fields, isDeletion: isDeleted && !was?.isDeleted, mergedInto });
      const survivor = mergedInto ?? was?.mergedInto;
      if (was && survivor && was.mergedInto !== mergedInto) set.merges.push([id, survivor]);
      rows.set(id, after);
    };

    const survivorsOf = (id: string): string[] => {
      const next = rows.get(id)!.mergedInto;
      return next === null ? [] : [next, ...survivorsOf(next)];
    };
    /** Moves the comments of a row to its survivor. */
    function moveComments(id: string, survivor: string): void {
      const own = [...comments].filter(([, row]) => row === id).map(([comment]) => comment);
      moved.set(id, new Set(own));
      for (const comment of own) comments.set(comment, survivor);
    }
    /** Moves comments back to a row that is still merged. */
    function returnComments(id: string): void {
      const survivors = survivorsOf(id);
      for (const comment of moved.get(id) ?? []) {
        if (survivors.includes(comments.get(comment)!)) comments.set(comment, id);
        for (const survivor of survivors) moved.get(survivor)?.delete(comment);
      }
      moved.delete(id);
    }
    const comment = async (by: Person, id: string): Promise<void> => {
      const body = { body: 'Text', mentions: [] };
      comments.set((await call(by, `POST /deals/${id}/comments`, body))._id, id);
    };

    /** Merges two or three rows, whose fields keep the values by default. */
    async function merge(): Promise<void> {
      const owner = pick(people);
      const by = random() < 0.5 ? admin : owner;
      // Rows of one owner, who otherwise would get a share, which the model does not have.
      const there = [...rows].filter(([, row]) => row.createdBy === owner.id && !row.isDeleted);
      const chosen = new Map(
        Array.from({ length: 3 }, () => (there.length > 0 ? pick(there) : null)).flatMap((one) =>
          one ? [one] : [],
        ),
      );
      const [survivor, ...others] = chosen;
      if (!survivor || others.length === 0) return;
      const [survivorId, before] = survivor;
      const body = { survivor: survivorId, others: others.map(([id]) => id) };
      const set = emptySet(by);
      set.id = (await call(by, 'POST /deals/merge', body)).changeSetId;
      const after = clone(before);
      const isEmpty = (value: unknown): boolean => value === '' || value === null;
      const filled = NAMES.filter((field) => {
        const found = new Set(others.map(([, row]) => row.values[field]).filter((value) => !isEmpty(value)));
        if (!isEmpty(before.values[field]) || found.size !== 1) return false;
        after.values[field] = [...found][0]!;
        return true;
      });
      record(set, survivorId, after, filled);
      for (const [id, row] of others) {
        record(set, id, { ...clone(row), isDeleted: true, deletedBy: by.id, mergedInto: survivorId }, []);
        moveComments(id, survivorId);
      }
      sets.push(set);
      seen.merges += 1;
    }

    /** Changes rows in one set: new rows, values, deletions and restored rows. */
    async function change(): Promise<void> {
      const by = pick(people);
      const key = `${(number += 1)}`;
      const set = emptySet(by);
      for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
        const kind = random();
        const own = [...rows].filter(([, row]) => mayEdit(by, row));
        const there = own.filter(([, row]) => !row.isDeleted);
        const gone = [...rows].filter(
          ([, row]) => row.isDeleted && (by === admin || row.deletedBy === by.id),
        );
        if (kind < 0.2 && rows.size < ROWS) {
          const notes = `N${(number += 1)}`;
          const deal = { dealershipId, customerName: 'Ann Example', dealNumber: notes, notes };
          const body = { rows: [{ key: newId().replaceAll('-', ''), deal }] };
          const id = (await call(by, 'POST /deals/bulk/create', body, key)).items[0].deal._id;
          dealNumbers.set(id, notes);
          const values = { ...FIELDS, notes };
          record(
            set,
            id,
            { values, isDeleted: false, createdBy: by.id, deletedBy: null, mergedInto: null },
            [],
          );
          await comment(by, id);
        } else if (kind < 0.3 && there.length > 0) {
          const [id, row] = pick(there);
          await call(by, 'POST /deals/bulk/delete', { ids: [id] }, key);
          record(set, id, { ...clone(row), isDeleted: true, deletedBy: by.id }, []);
        } else if (kind < 0.4 && gone.length > 0) {
          const [id, row] = pick(gone);
          await call(by, 'POST /deals/bulk/restore', { ids: [id] }, key);
          returnComments(id);
          record(set, id, { ...clone(row), isDeleted: false, deletedBy: null, mergedInto: null }, []);
        } else if (there.length > 0) {
          const [id, row] = pick(there);
          const field = pick(NAMES);
          const value = {
            notes: pick(['', 'Rang', 'Met']),
            vehicle: pick(['', 'Ute', 'Van']),
            saleAmount: pick([null, 100, 200]),
            status: pick(['Entered', 'Called', 'Deal']),
          }[field];
          if (row.values[field] === value) continue;
          const { version } = await server.db
            .selectFrom('deals')
            .where('id', '=', id)
            .select('version')
            .executeTakeFirstOrThrow();
          await call(by, `PATCH /deals/${id}`, { version, [field]: value }, key);
          const after = clone(row);
          after.values[field] = value;
          record(set, id, after, [field]);
        }
      }
      if (set.steps.size === 0) return;
      set.id = hashedId(by.id, 'bulk', key);
      sets.push(set);
      seen.changes += 1;
    }

    /** Updates rows by an import, some of which this person may not change. Empty cells leave or clear values. */
    async function importUpdates(): Promise<void> {
      const by = pick(people);
      const set = emptySet(by);
      const emptyClears = random() < 0.5;
      const chosen = new Set(Array.from({ length: 3 }, () => pick([...rows.keys()])));
      const lines = [...chosen].map((id) => ({
        dealNumber: dealNumbers.get(id)!,
        notes: pick([null, 'Rang', 'Imported']),
        saleAmount: pick([null, 300]),
        status: pick([null, 'Called', 'Deal']),
      }));
      const body = { mode: 'update', matchBy: 'dealNumber', emptyClears, rows: lines };
      const done = await call(by, 'POST /deals/import', body);
      for (const [index, id] of [...chosen].entries()) {
        const row = rows.get(id)!;
        const { dealNumber: _d, ...cells } = lines[index]!;
        const isLeft = done.left.some((one: { row: number }) => one.row === index);
        expect(isLeft, id).toBe(row.isDeleted || !mayEdit(by, row));
        if (isLeft) continue;
        const after = clone(row);
        for (const [name, cell] of Object.entries(cells) as [keyof typeof cells, string | number | null][])
          if (cell !== null) after.values[name] = cell;
          else if (emptyClears && name !== 'status') after.values[name] = FIELDS[name];
        const fields = NAMES.filter((field) => after.values[field] !== row.values[field]);
        if (fields.length > 0) record(set, id, after, fields);
      }
      expect(done.changed).toBe(set.steps.size);
      if (done.changeSetId === null) return;
      set.id = done.changeSetId;
      sets.push(set);
      seen.imports += 1;
    }

    /** Copies rows from the last backup: changed ones get its values, deleted and merged ones are restored. */
    async function copyFromBackup(): Promise<void> {
      if (!backup || random() < 0.2) {
        const there = [...rows].filter(([, row]) => !row.isDeleted);
        if (there.length === 0) return;
        const name = await makeOne(server, admin);
        backup = { name, rows: new Map(there.map(([id, row]) => [id, clone(row)])) };
        seen.backups += 1;
        return;
      }
      const past = backup.rows;
      const chosen = [...new Set(Array.from({ length: 3 }, () => pick([...past.keys()])))];
      const set = emptySet(admin);
      const route = `POST /backups/${backup.name}/rows/copy`;
      const { status, body } = await callToEnd(server, admin, route, { rows: chosen });
      expect(status, JSON.stringify(body)).toBe(200);
      for (const id of chosen) {
        const row = rows.get(id)!;
        const { values } = past.get(id)!;
        const fields = NAMES.filter((field) => row.values[field] !== values[field]);
        if (fields.length === 0 && !row.isDeleted) continue;
        if (row.isDeleted) returnComments(id);
        const after = { ...row, values: { ...values }, isDeleted: false, deletedBy: null, mergedInto: null };
        record(set, id, after, fields);
      }
      expect(body).toMatchObject({ copied: set.steps.size, refused: [] });
      if (set.steps.size === 0) return;
      set.id = body.changeSetId;
      sets.push(set);
      seen.copies += 1;
    }

    /** Takes back a set, and does the same to the model by the words of the documentation. */
    async function revert(): Promise<void> {
      const set = pick(random() < 0.2 ? sets : sets.slice(-6));
      const by = random() < 0.3 ? admin : set.by;
      const withOverwrite = random() < 0.3;
      const result = emptySet(by);
      const outcomes = new Map<string, Outcome>();
      for (const [id, { before, after }] of set.steps) {
        const row = rows.get(id)!;
        const first = log.findIndex((entry) => entry.set === set && entry.id === id);
        const since = log.slice(first).filter((entry) => entry.id === id);
        const isToDelete = before === null || before.isDeleted;
        if (isToDelete && row.isDeleted) continue;
        const next = clone(row);
        const fields: Field[] = [];
        const later: Field[] = [];
        const changed = NAMES.filter((field) => before && before.values[field] !== after.values[field]);
        const deletion = since.findLast(({ isDeletion }) => isDeletion);
        if (row.isDeleted && deletion?.set !== set) {
          const isMergedAgain = set.merges.some(([one, into]) => one === id && into === deletion?.mergedInto);
          if (changed.length > 0 || isMergedAgain) outcomes.set(id, null);
          continue;
        }
        if (row.isDeleted) Object.assign(next, { isDeleted: false, deletedBy: null, mergedInto: null });
        for (const field of changed) {
          if (row.values[field] === before!.values[field]) continue;
          (row.values[field] === after.values[field] ? fields : later).push(field);
        }
        if (isToDelete) {
          const others = since.filter((entry) => entry.set !== set).flatMap((entry) => entry.fields);
          for (const field of new Set(others))
            if (!changed.includes(field) && row.values[field] !== after.values[field]) later.push(field);
          const mergedInto = before?.mergedInto ?? null;
          Object.assign(next, { isDeleted: true, deletedBy: by.id, mergedInto });
        }
        const changesAny = next.isDeleted !== row.isDeleted || fields.length > 0 || later.length > 0;
        if (!changesAny) continue;
        const survivor = isToDelete && before?.mergedInto ? rows.get(before.mergedInto)! : null;
        const isRefused =
          !mayRead(by, row) ||
          !mayEdit(by, row) ||
          (survivor && (survivor.isDeleted || !mayEdit(by, survivor)));
        outcomes.set(id, isRefused ? null : { before, next, changed, fields, later });
      }
      // The rows of a merge go back together.
      const stays = new Set([...outcomes].flatMap(([id, outcome]) => (outcome ? [] : id)));
      for (let known = -1; known < stays.size;) {
        known = stays.size;
        for (const pair of set.merges)
          if (pair.some((id) => stays.has(id))) pair.forEach((id) => stays.add(id));
      }
      const left: string[] = [];
      const refused: string[] = [];
      const overwrite: { dealId: string; fields: string[] }[] = [];
      const planned: [id: string, after: Row, fields: Field[]][] = [];
      for (const [id, outcome] of outcomes) {
        if (!outcome || stays.has(id)) {
          if (mayRead(by, rows.get(id)!)) refused.push(id);
          continue;
        }
        const { before, next, changed, fields, later } = outcome;
        const isToDelete = before === null || before.isDeleted;
        if (later.length > 0 && withOverwrite) {
          overwrite.push({ dealId: id, fields: later });
          fields.push(...later.filter((field) => changed.includes(field)));
        } else left.push(...later.map((field) => `${id} ${field}`));
        if (isToDelete && later.length > 0 && !withOverwrite) continue;
        if (before) for (const field of fields) next.values[field] = before.values[field];
        if (fields.length > 0 || next.isDeleted !== rows.get(id)!.isDeleted) planned.push([id, next, fields]);
      }
      const body = overwrite.length > 0 ? { overwrite } : {};
      const done = await call(by, `POST /changes/${set.id}/revert`, body);
      const hint = `revert of ${set.id} by ${by.name}`;
      expect(done.refused.map(({ dealId }: { dealId: string }) => dealId).toSorted(), hint).toEqual(
        refused.toSorted(),
      );
      expect(
        done.left
          .map(({ dealId, field }: { dealId: string; field: string }) => `${dealId} ${field}`)
          .toSorted(),
        hint,
      ).toEqual(left.toSorted());
      expect(done.reverted, hint).toBe(planned.length);
      for (const [id, after] of planned) if (!after.isDeleted && rows.get(id)!.mergedInto) returnComments(id);
      // A row that another one is merged into is merged itself after it.
      const rank = (id: string): number =>
        1 + Math.max(-1, ...planned.flatMap(([one, after]) => (after.mergedInto === id ? rank(one) : [])));
      for (const [id, after, fields] of planned.toSorted(([a], [b]) => rank(a) - rank(b))) {
        if (after.isDeleted && after.mergedInto) moveComments(id, after.mergedInto);
        record(result, id, after, fields);
      }
      result.id = done.changeSetId ?? '';
      if (planned.length > 0) sets.push(result);
      seen.reverts += 1;
      seen.reverted += planned.length;
      seen.left += left.length;
      seen.refused += refused.length;
    }
    for (let step = 1; step <= STEPS; step += 1) {
      if (sets.length > 0 && random() < 0.4) await revert();
      else if (rows.size > 0 && random() < 0.2) await importUpdates();
      else if (random() < 0.2) await merge();
      else if (random() < 0.1) await copyFromBackup();
      else {
        await change();
        if (step < STEPS) continue;
      }
      const stored = await server.db
        .selectFrom('deals')
        .innerJoin('statuses', 'statuses.id', 'deals.status_id')
        .select(['deals.id', 'notes', 'vehicle', 'sale_amount', 'statuses.name as status', 'deleted_at'])
        .execute();
      expect(
        new Map(
          stored.map(({ id, notes, vehicle, sale_amount, status, deleted_at }) => [
            id,
            { notes, vehicle, saleAmount: sale_amount, status, isDeleted: deleted_at !== null },
          ]),
        ),
        `step ${step}`,
      ).toEqual(new Map([...rows].map(([id, { values, isDeleted }]) => [id, { ...values, isDeleted }])));
      const commented = await server.db.selectFrom('deal_comments').select(['id', 'deal_id']).execute();
      expect(new Map(commented.map(({ id, deal_id }) => [id, deal_id])), `step ${step}`).toEqual(comments);
    }
    const { changes: _changes, reverts: _reverts, ...rare } = seen;
    expect(Math.min(...Object.values(rare))).toBeGreaterThan(0);
    process.stdout.write(`revert-model: ${STEPS} steps, ${JSON.stringify(seen)}\n`);
  },
);
