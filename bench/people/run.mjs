// Usage: [MINUTES=1] [PEOPLE=500] [DEALS=100000] [CHANGES=40] node bench/people/run.mjs
// Simulates this many signed-in users with open live streams. Each acts every five seconds (read, change a cell, add a
// row, search) with the requests of the browser's own code. Every minute a backup and an export run meanwhile. Prints
// response times, the latency of changes at other users, and resource usage. With CHANGES, all users together change so
// many cells a second and do nothing else. Runs in real time: for a useful memory
// figure, MINUTES=10.
import { join } from 'node:path';
import { openCompany } from '../company.mjs';
import { printTable } from '../figures.mjs';
import { probeEnvironment } from './machine.mjs';
import { deals, measure, people } from './measure.mjs';
import { heading, reportRows } from './report.mjs';
import { addStaff } from './staff.mjs';

const company = await openCompany(deals, undefined, (dataDir) => probeEnvironment(join(dataDir, 'inside')));
try {
  const { month, port, url, token, dataDir, pid, inDatabase } = company;
  const staff = await inDatabase((db) => addStaff(db, { count: people, month }));
  const measured = await measure({
    staff,
    portOf: () => port,
    wayOf: () => '',
    month,
    office: { url, token },
    machine: { servers: [{ pid, file: join(dataDir, 'inside') }], databaseFolder: join(dataDir, 'postgres') },
    inDatabase,
  });
  printTable(heading('one instance'), reportRows(measured));
  for (const failure of measured.simulation.failures) console.log(failure);
} finally {
  await company.close();
}
