// Backups and exports during the simulation.
import { callServer } from '../../server/test/process.ts';

const LOOK_MS = 200;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Repeats a request until it succeeds; reports each server error. */
async function called({ url, token, onServerError }, route, body) {
  for (;;) {
    const response = await callServer(url, route, token, body);
    if (response.status < 300) return response.body;
    if (response.body.code === 'BACKUP_BUSY') {
      // One backup runs at a time, including scheduled ones.
    } else if (response.status >= 500)
      onServerError(response.status, `${route}: ${JSON.stringify(response.body)}`);
    else throw new Error(`${route}: ${response.status} ${JSON.stringify(response.body)}`);
    await pause(LOOK_MS);
  }
}

async function backUp(office) {
  const { jobId } = await called(office, 'POST /backups');
  for (;;) {
    const job = await called(office, `GET /jobs/${jobId}`);
    if (job.status === 'failed') throw new Error(job.message);
    if (job.status === 'succeeded') return;
    await pause(LOOK_MS);
  }
}

async function exportDeals(office) {
  const { _id } = await called(office, 'POST /exports', { kind: 'deals', format: 'xlsx' });
  for (;;) {
    const made = await called(office, `GET /exports/${_id}`);
    if (made.state === 'failed') throw new Error(made.message);
    if (made.state === 'ready') return;
    await pause(LOOK_MS);
  }
}

/** Runs a backup of everything and an export of all deals at once. Returns the seconds of each. */
export async function backUpAndExport(office) {
  const took = async (work) => {
    const from = performance.now();
    try {
      await work(office);
    } catch (error) {
      office.onServerError(error.message);
    }
    return (performance.now() - from) / 1000;
  };
  const [backup, exported] = await Promise.all([took(backUp), took(exportDeals)]);
  return { backup, exported };
}
