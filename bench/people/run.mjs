// Usage: [MINUTES=1] [PEOPLE=500] [DEALS=100000] node bench/people/run.mjs
// So many people are signed in with their live streams open, and each does something every five seconds: looks, changes a cell,
// adds a row, searches, with the requests of the browser's own code. Every minute a backup and an export run meanwhile. Prints how
// long they waited, how soon the others saw what somebody changed, and what the server took. Nothing is faster than life: to measure
// memory properly, MINUTES=10.
import { join } from 'node:path';
import { openCompany } from '../company.mjs';
import { printTable } from '../figures.mjs';
import { heading, linesOf } from './lines.mjs';
import { watched } from './machine.mjs';
import { deals, measure, people } from './measure.mjs';
import { hire } from './staff.mjs';

const company = await openCompany(deals, undefined, (dataDir) => watched(join(dataDir, 'inside')));
try {
  const { month, port, url, token, dataDir, pid, inDatabase } = company;
  const staff = await inDatabase((db) => hire(db, { count: people, month }));
  const measured = await measure({
    staff,
    portOf: () => port,
    wayOf: () => '',
    month,
    office: { url, token },
    machine: { servers: [{ pid, file: join(dataDir, 'inside') }], databaseFolder: join(dataDir, 'postgres') },
    inDatabase,
  });
  printTable(heading('one instance'), linesOf(measured));
  for (const failure of measured.crowd.failures) console.log(failure);
} finally {
  await company.close();
}
