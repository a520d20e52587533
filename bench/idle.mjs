import { setTimeout as pause } from 'node:timers/promises';
import { startServer } from '../server/test/process.ts';
import { openCompany } from './company.mjs';
import { verdict } from './compare.mjs';
import { median, printTable, spread } from './figures.mjs';
import { startLimit } from './limit.mjs';
import { requestOf, requestOnce } from './load.mjs';
import { memoryOf, processorOf } from './people/machine.mjs';

const STARTS = 5;
/** How long a started server is left alone, and then measured. */
const IDLE_MS = 10_000;

/** Starts a server several times, then leaves the last one idle. Returns milliseconds, MiB and % of a core. */
async function measure(start) {
  const times = [];
  for (;;) {
    const from = performance.now();
    const server = await start();
    try {
      await requestOnce(server.port, requestOf('GET', '/api/health'));
      times.push(performance.now() - from);
      if (times.length < STARTS) continue;
      await pause(IDLE_MS);
      const [before, begun] = [processorOf(server.pid), performance.now()];
      await pause(IDLE_MS);
      const seconds = (performance.now() - begun) / 1000;
      return {
        times,
        memory: memoryOf(server.pid),
        processor: (100 * (processorOf(server.pid) - before)) / seconds,
      };
    } finally {
      await server.close();
    }
  }
}

/** Prints the start time of the server with an existing database, and what it uses without requests. */
export async function printIdle(count) {
  const company = await openCompany(count);
  try {
    const { connection, dataDir } = company;
    const limit = await measure(() =>
      startLimit({ connection, schema: 'forecourt', statements: ['select 1'], values: [[]], bytes: 2 }),
    );
    await company.stop();
    const product = await measure(async () => {
      const server = await startServer(dataDir);
      return { port: Number(new URL(server.url).port), pid: server.child.pid, close: () => server.stop() };
    });
    const [start, limitStart] = [median(product.times), median(limit.times)];
    printTable(
      ['Start and idle', 'product', 'bare server', 'goal'],
      [
        [
          'start until GET /api/health returns, ms',
          `${start.toFixed(0)} (spread ${spread(product.times).toFixed(0)} %)`,
          limitStart.toFixed(0),
          verdict(start, 1200),
        ],
        [
          'idle memory of the server without PostgreSQL, MiB',
          product.memory.toFixed(0),
          limit.memory.toFixed(0),
          verdict(product.memory, 180),
        ],
        [
          'idle processor of the server, % of a core',
          product.processor.toFixed(1),
          limit.processor.toFixed(1),
          '',
        ],
      ],
    );
  } finally {
    await company.close();
  }
}
