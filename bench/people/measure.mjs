// A working day of many people in some minutes, on one instance or several.
import { seat } from './crowd.mjs';
import { askInside, processorOf, processorOfDatabase, watchMemory } from './machine.mjs';
import { backUpAndExport } from './meanwhile.mjs';
import { createNews } from './news.mjs';
import { createRandom } from './times.mjs';

const MINUTE_MS = 60_000;

/** MINUTES, PEOPLE and DEALS of the environment. */
export const minutes = Number(process.env.MINUTES ?? 1);
export const people = Number(process.env.PEOPLE ?? 500);
export const deals = Number(process.env.DEALS ?? 100_000);
/** Until the code is compiled and the heap has its size. */
const WARM_UP_MS = minutes < 3 ? 20_000 : MINUTE_MS;
/** And from then, when garbage was collected to see what is in use, until there is as much of it again as at any time. */
const SETTLE_MS = 10_000;
/** Events of the last changes are waited for so long. */
const LAST_NEWS_MS = 10_000;
/** In each minute a backup and an export begin at this second. */
const OFFICE_MS = 20_000;

const soon = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Runs `work` and answers what came of it with how much memory and processor each server took meanwhile. */
async function watching({ servers, databaseFolder }, ms, work) {
  const memories = servers.map(({ pid }) => watchMemory(pid));
  const inside = () => Promise.all(servers.map(({ pid, file }) => askInside(pid, file)));
  const processors = () => ({
    at: performance.now(),
    servers: servers.map(({ pid }) => processorOf(pid)),
    database: processorOfDatabase(databaseFolder),
    load: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  });
  const heapBefore = await inside();
  await soon(SETTLE_MS);
  const before = processors();
  const result = await work();
  const after = processors();
  const heapAfter = await inside();
  for (const memory of memories) memory.stop();
  const span = Math.min(MINUTE_MS, ms / 3);
  const seconds = (after.at - before.at) / 1000;
  const share = (from, to) => (100 * (to - from)) / seconds;
  return {
    result,
    seconds,
    servers: servers.map((_, place) => ({
      memory: [
        memories[place].medianOf(before.at, before.at + span),
        memories[place].medianOf(after.at - span, after.at),
      ],
      heap: [heapBefore[place].heap / 2 ** 20, heapAfter[place].heap / 2 ** 20],
      late: heapAfter[place],
      processor: share(before.servers[place], after.servers[place]),
    })),
    database: share(before.database, after.database),
    load: share(before.load, after.load),
  };
}

/** Backups and exports in each minute, until the time is over. `phase.isBusy` while they are made. */
async function officeWork({ office, phase, ms }) {
  const begun = performance.now();
  const took = [];
  for (let minute = 0; minute * MINUTE_MS + OFFICE_MS < ms; minute += 1) {
    await soon(begun + minute * MINUTE_MS + OFFICE_MS - performance.now());
    phase.isBusy = true;
    took.push(await backUpAndExport(office));
    phase.isBusy = false;
  }
  await soon(begun + ms - performance.now());
  return took;
}

/** Rows whose newest answered change is not what the database has. */
async function countLost(inDatabase, staff) {
  const written = staff.flatMap(({ rows }) => rows.filter(({ isWritten }) => isWritten));
  const ids = written.map(({ id }) => id);
  const found = await inDatabase((db) =>
    db.selectFrom('deals').select(['id', 'version']).where('id', 'in', ids).execute(),
  );
  const versions = new Map(found.map(({ id, version }) => [id, version]));
  return written.filter(({ id, version }) => versions.get(id) !== version).length;
}

/**
 * Lets the staff work for the minutes after a warm-up. `portOf` says which instance somebody is at, `wayOf` how an event from one
 * to another is called.
 */
export async function measure({ staff, portOf, wayOf, month, office, machine, inDatabase }) {
  const ms = minutes * MINUTE_MS;
  const random = createRandom(42);
  const news = createNews(staff, wayOf);
  const crowd = await seat({ staff, portOf, month, random, news });
  const { phase } = crowd;
  const doing = { ...office, onTrouble: crowd.noteRefusal };
  crowd.work();
  // Whatever takes memory has been done once before memory counts.
  await Promise.all([soon(WARM_UP_MS), backUpAndExport(doing)]);
  let messages = 0;
  const watched = await watching(machine, ms, async () => {
    const messagesBefore = crowd.messages();
    phase.counts = true;
    const took = await officeWork({ office: doing, phase, ms });
    phase.counts = false;
    messages = crowd.messages() - messagesBefore;
    return took;
  });
  await crowd.rest();
  const until = performance.now() + LAST_NEWS_MS;
  while (news.missing() > 0 && performance.now() < until) await soon(50);
  const lost = await countLost(inDatabase, staff);
  crowd.leave();
  return { crowd, news, lost, messages, ...watched };
}
