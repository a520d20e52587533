// What the office has done for it while people work: backups and exports.
import { callServer } from '../../server/test/process.ts';

const LOOK_MS = 200;

const soon = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until there is an answer that is none of a server in trouble; each that is one is noted. */
async function called({ url, token, onTrouble }, route, body) {
  for (;;) {
    const answer = await callServer(url, route, token, body);
    if (answer.status < 300) return answer.body;
    if (answer.body.code === 'BACKUP_BUSY') {
      // One is made at a time, also of those that the clock asks for.
    } else if (answer.status >= 500) onTrouble(answer.status, `${route}: ${JSON.stringify(answer.body)}`);
    else throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
    await soon(LOOK_MS);
  }
}

async function backUp(office) {
  const { jobId } = await called(office, 'POST /backups');
  for (;;) {
    const job = await called(office, `GET /jobs/${jobId}`);
    if (job.status === 'failed') throw new Error(job.message);
    if (job.status === 'succeeded') return;
    await soon(LOOK_MS);
  }
}

async function exportDeals(office) {
  const { _id } = await called(office, 'POST /exports', { kind: 'deals', format: 'xlsx' });
  for (;;) {
    const made = await called(office, `GET /exports/${_id}`);
    if (made.state === 'failed') throw new Error(made.message);
    if (made.state === 'ready') return;
    await soon(LOOK_MS);
  }
}

/** A backup of everything and an export of all deals at the same time. Answers how many seconds each took. */
export async function backUpAndExport(office) {
  const took = async (work) => {
    const from = performance.now();
    try {
      await work(office);
    } catch (error) {
      office.onTrouble(error.message);
    }
    return (performance.now() - from) / 1000;
  };
  const [backup, exported] = await Promise.all([took(backUp), took(exportDeals)]);
  return { backup, exported };
}
