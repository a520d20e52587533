import { createLatencyTracker } from './event-latency.mjs';
import { readServerProbe, processorOf, processorOfDatabase, watchMemory } from './machine.mjs';
import { backUpAndExport } from './office-jobs.mjs';
// Simulates a working day of many users in some minutes, on one instance or several.
import { startSimulation } from './simulation.mjs';
import { createRandom } from './times.mjs';

const MINUTE_MS = 60_000;

/** MINUTES, PEOPLE, DEALS and CHANGES of the environment. */
export const minutes = Number(process.env.MINUTES ?? 1);
export const people = Number(process.env.PEOPLE ?? 500);
export const deals = Number(process.env.DEALS ?? 100_000);
/** Cells that all users together change in a second, without other actions; 0: the actions of a working day. */
const changes = Number(process.env.CHANGES ?? 0);
/** Time until code is compiled and the heap has its size. */
const WARM_UP_MS = minutes < 3 ? 20_000 : MINUTE_MS;
/** Time after a garbage collection until the heap has its usual amount of garbage. */
const SETTLE_MS = 10_000;
/** Maximum wait for the events of the last changes. */
const LAST_EVENTS_MS = 10_000;
/** Second of each minute at which a backup and an export start. */
const OFFICE_MS = 20_000;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));

/** Runs `work` and returns its result with the memory and processor time of each server. */
async function measureResources({ servers, databaseFolder }, ms, work) {
  const memories = servers.map(({ pid }) => watchMemory(pid));
  const inside = () => Promise.all(servers.map(({ pid, file }) => readServerProbe(pid, file)));
  const processors = () => ({
    at: performance.now(),
    servers: servers.map(({ pid }) => processorOf(pid)),
    database: processorOfDatabase(databaseFolder),
    load: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  });
  const heapBefore = await inside();
  await pause(SETTLE_MS);
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

/** Runs backups and exports in each minute until the time is over. `phase.isBusy` is set meanwhile. */
async function runOfficeJobs({ office, phase, ms }) {
  const begun = performance.now();
  const took = [];
  for (let minute = 0; minute * MINUTE_MS + OFFICE_MS < ms; minute += 1) {
    await pause(begun + minute * MINUTE_MS + OFFICE_MS - performance.now());
    phase.isBusy = true;
    took.push(await backUpAndExport(office));
    phase.isBusy = false;
  }
  await pause(begun + ms - performance.now());
  return took;
}

/** Counts rows whose newest acknowledged change is not in the database. */
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
 * Runs the simulation for the minutes after a warm-up. `portOf` returns a user's instance, `wayOf` the name of the path
 * between two users.
 */
export async function measure({ staff, portOf, wayOf, month, office, machine, inDatabase }) {
  const ms = minutes * MINUTE_MS;
  // Another seed for another number of people: the same one would type what is in the rows of a former step.
  const random = createRandom(42 + staff.length);
  const latency = createLatencyTracker(staff, wayOf);
  const simulation = await startSimulation({ staff, portOf, month, random, latency, changes });
  const { phase } = simulation;
  const doing = { ...office, onServerError: simulation.noteRefusal };
  simulation.work();
  // Everything that needs memory runs once before memory is measured.
  await Promise.all([pause(WARM_UP_MS), changes ? undefined : backUpAndExport(doing)]);
  let messages = 0;
  const measured = await measureResources(machine, ms, async () => {
    const messagesBefore = simulation.messages();
    phase.counts = true;
    const took = changes ? await pause(ms).then(() => []) : await runOfficeJobs({ office: doing, phase, ms });
    phase.counts = false;
    messages = simulation.messages() - messagesBefore;
    return took;
  });
  await simulation.rest();
  const until = performance.now() + LAST_EVENTS_MS;
  while (latency.missing() > 0 && performance.now() < until) await pause(50);
  const lost = await countLost(inDatabase, staff);
  simulation.leave();
  return { simulation, latency, lost, messages, ...measured };
}
