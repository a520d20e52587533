import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, spread, count } from './figures.mjs';
import { startLimit } from './limit.mjs';
import { drive, requestOnce } from './load.mjs';
import { processorOf, processorOfDatabase } from './people/machine.mjs';

/** Rounds of each side, their length and that of the warm-up in milliseconds. */
export const FULL = { rounds: 5, ms: 1000, warmUpMs: 500 };
export const QUICK = { rounds: 3, ms: 500, warmUpMs: 300 };

/** Time between two changes by other users while reads are measured. */
const MEANWHILE_MS = 50;

/** Sends these requests to the product until `work` ends, so that no side reads an unchanged table. */
async function withChanges(company, next, work) {
  if (!next) return work();
  const ended = new AbortController();
  async function change() {
    // By the clock, so that a slow response does not make the changes fewer.
    for (let due = performance.now(); !ended.signal.aborted; due += MEANWHILE_MS) {
      // A busy database may refuse these changes, which is no failure of the reads.
      await requestOnce(company.port, next()).catch((error) => {
        if (!error.message.startsWith('503')) throw error;
      });
      await pause(Math.max(0, due + MEANWHILE_MS - performance.now()));
    }
  }
  const [result] = await Promise.all([work().finally(() => ended.abort()), change()]);
  return result;
}

/**
 * Runs the named sides alternately, so that other load on the machine affects all of them. Returns of each the requests
 * a second and the processor milliseconds of its server and of PostgreSQL for a request, by round.
 */
async function interleaved(sides, { rounds, ms, warmUpMs }, beforeRound = async () => {}) {
  const results = Object.keys(sides).map((name) => [name, { rates: [], server: [], database: [] }]);
  for (const side of Object.values(sides)) await drive({ ...side, ms: warmUpMs });
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { rates, server, database }] of results) {
      await beforeRound();
      const side = sides[name];
      const before = [processorOf(side.pid), processorOfDatabase(side.databaseFolder)];
      const started = performance.now();
      const rate = await drive({ ...side, ms });
      const requests = (rate * (performance.now() - started)) / 1000;
      rates.push(rate);
      server.push((1000 * (processorOf(side.pid) - before[0])) / requests);
      database.push((1000 * (processorOfDatabase(side.databaseFolder) - before[1])) / requests);
    }
  }
  return Object.fromEntries(results);
}

export const verdict = (ratio, goal) => (goal === undefined ? '' : `${goal} ${ratio <= goal ? '✓' : '✗'}`);

const processorOfRequest = ({ server, database }) => median(server) + median(database);
const processorText = ({ server, database }) =>
  [server, database].map((each) => Number(median(each).toPrecision(2))).join(' + ');

const sideOf = ({ port, pid, dataDir }, clients, next) => ({
  port,
  pid,
  databaseFolder: join(dataDir, 'postgres'),
  clients,
  next,
});

const rateText = (rate) => (rate < 10 ? rate.toFixed(1) : count(rate));

/**
 * Returns one table row: the product beside a bare server with a plain statement, on the product's own table of deals
 * and on a lean one (data.mjs).
 */
export async function againstLimit({ title, clients, each = 1, goal, prepare }, company, timing) {
  const { product, limitOn, beforeRound, meanwhile } = await prepare(company);
  const servers = [];
  const limitSide = async (schema) => {
    const { next, ...limit } = await limitOn(schema);
    const server = await startLimit({ connection: company.connection, schema, ...limit });
    servers.push(server);
    return sideOf({ ...company, ...server }, clients, next);
  };
  try {
    const sides = {
      product: sideOf(company, clients, product),
      plain: await limitSide('forecourt'),
      lean: await limitSide('lean'),
    };
    const results = await withChanges(company, meanwhile, () => interleaved(sides, timing, beforeRound));
    const rateOf = (name) => median(results[name].rates);
    const ratio = rateOf('plain') / rateOf('product');
    return [
      title,
      count(rateOf('product') * each),
      count(rateOf('plain') * each),
      ratio.toFixed(2),
      verdict(ratio, goal),
      count(rateOf('lean') * each),
      (rateOf('lean') / rateOf('product')).toFixed(2),
      processorText(results.product),
      processorText(results.plain),
      (processorOfRequest(results.product) / processorOfRequest(results.plain)).toFixed(2),
      `${spread(results.product.rates).toFixed(0)} / ${spread(results.plain.rates).toFixed(0)} %`,
    ];
  } finally {
    for (const server of servers) server.close();
  }
}

export const limitHeading = [
  'product',
  'plain limit',
  'product / plain limit',
  'goal',
  'lean limit',
  'product / lean limit',
  'processor of a request, ms: server + PostgreSQL',
  'of the plain limit',
  'ratio',
  'spread',
];

/**
 * Returns one table row: the product on a large company and on a small one. `seconds` is the goal of one request on the
 * large one.
 */
export async function againstGrowth({ title, clients, growth, seconds, prepare }, small, large, timing) {
  const [few, many] = [await prepare(small), await prepare(large)];
  const sides = {
    small: sideOf(small, clients, few.product),
    large: sideOf(large, clients, many.product),
  };
  const results = await withChanges(small, few.meanwhile, () =>
    withChanges(large, many.meanwhile, () => interleaved(sides, timing)),
  );
  const ratio = median(results.small.rates) / median(results.large.rates);
  const took = clients / median(results.large.rates);
  return [
    title,
    rateText(median(results.large.rates)),
    rateText(median(results.small.rates)),
    ratio.toFixed(2),
    verdict(ratio, growth) +
      (seconds ? `, ${took.toFixed(took < 0.1 ? 3 : 1)} s of ${verdict(took, seconds)}` : ''),
    processorText(results.large),
    `${spread(results.large.rates).toFixed(0)} / ${spread(results.small.rates).toFixed(0)} %`,
  ];
}
