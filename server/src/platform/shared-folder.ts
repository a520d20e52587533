import { setTimeout as pause } from 'node:timers/promises';
import { readId, type Place } from './data-folder.ts';
import type { Connection } from './db/database.ts';
import { withClient } from './db/dedicated-client.ts';
import { CHANNEL } from './db/schemas.ts';
import { newId } from './ids.ts';
import { MESSAGES, type EventBus } from './live/event-bus.ts';
import type { Log } from './log.ts';
import { StartError } from './start-error.ts';

// A copied folder has the id of the original, and all other files of it. What only the folder itself has is a file that
// is written now, so a starting instance writes one, and those that run look for it.

/** How long an instance looks for the file: some network file systems show it later. */
const SEARCH_MS = 3000;
/** How long a start waits for responses. Instances of earlier releases do not respond. */
const RESPONSE_MS = 5000;

type Parts = { place: Place; connection: Connection; eventBus: EventBus; log: Log };

const nameOf = (probe: string): string => `.probe.${probe}`;

/** Whether a probe is in a place; undefined if the place is lost, such as a folder that is not mounted any more. */
async function findProbe(place: Place, probe: string): Promise<boolean | undefined> {
  const until = performance.now() + SEARCH_MS;
  while ((await place.read(nameOf(probe))) === undefined) {
    if (performance.now() > until) return (await readId(place)) === undefined ? undefined : false;
    await pause(100);
  }
  return true;
}

/**
 * Throws a `StartError` if an instance that runs on this database has another place, and responds from now on to the
 * starts of others. An instance that does not respond refuses nothing.
 */
export async function assertSharedFolder({ place, connection, eventBus, log }: Parts): Promise<void> {
  const probe = newId();
  const responses: string[] = [];
  eventBus.on('folder-response', (value) => {
    const [id, response = ''] = value.split(' ');
    if (id === probe) responses.push(response);
  });
  eventBus.on('folder-probe', (id) => {
    findProbe(place, id)
      .then(async (isThere) => {
        if (isThere === undefined) return;
        const response = `folder-response ${id} ${isThere ? 'seen' : 'missing'}`;
        await withClient(connection, (client) =>
          client.query('select pg_notify($1, $2)', [CHANNEL, response]),
        );
      })
      .catch((error: Error) =>
        log.warn({ reason: error.message }, 'no response to the start of an instance'),
      );
  });
  await withClient(connection, async (client) => {
    /** The number of instances that listen, with this one, which responds too. */
    const countInstances = async (): Promise<number> => {
      const { rowCount } = await client.query(
        'select from pg_stat_activity where datname = current_database() and application_name = $1',
        [MESSAGES],
      );
      return rowCount ?? 0;
    };
    const until = performance.now() + RESPONSE_MS;
    while (!eventBus.isListening() && performance.now() < until) await pause(20);
    const count = await countInstances();
    if (count <= 1) return;
    await place.write(nameOf(probe), probe);
    try {
      await client.query('select pg_notify($1, $2)', [CHANNEL, `folder-probe ${probe}`]);
      while (!responses.includes('missing') && responses.length < Math.min(count, await countInstances())) {
        if (performance.now() > until) {
          log.warn('an instance did not respond whether it has the same data folder');
          break;
        }
        await pause(50);
      }
    } finally {
      await place.remove(nameOf(probe));
    }
  });
  if (responses.includes('missing'))
    throw new StartError(
      `${place.name} is a copy of the data folder of this database: the running instances do not see what is written there. Nothing was changed; start with their folder, or, if this is the right one, stop them first.`,
    );
}
