import { median, spread, count } from './figures.mjs';
import { startLimit } from './limit.mjs';
import { drive } from './load.mjs';

const ROUNDS = 5;
const ROUND_MS = 1500;
const WARM_UP_MS = 700;

/** Runs the named sides alternately, so that other load on the machine affects all of them. */
async function interleaved(sides) {
  const rates = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (const side of Object.values(sides)) await drive({ ...side, ms: WARM_UP_MS });
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [name, side] of Object.entries(sides))
      rates[name].push(await drive({ ...side, ms: ROUND_MS }));
  return rates;
}

const verdict = (ratio, goal) => (goal === undefined ? '' : `${goal} ${ratio <= goal ? '✓' : '✗'}`);

/** Returns one table row: the product and the limit of the case on the same database. */
export async function againstLimit({ title, clients, each = 1, goal, prepare }, company) {
  const { product, limit, limitRequest } = await prepare(company);
  const server = await startLimit({ connection: company.connection, ...limit });
  try {
    const rates = await interleaved({
      product: { port: company.port, clients, next: product },
      limit: { port: server.port, clients, next: limitRequest },
    });
    const ratio = median(rates.limit) / median(rates.product);
    return [
      title,
      count(median(rates.product) * each),
      count(median(rates.limit) * each),
      ratio.toFixed(2),
      verdict(ratio, goal),
      `${spread(rates.product).toFixed(0)} / ${spread(rates.limit).toFixed(0)} %`,
    ];
  } finally {
    server.close();
  }
}

/** Returns one table row: the product on a large company and on a small one. */
export async function againstGrowth({ title, clients, growth, prepare }, small, large) {
  const [few, many] = [await prepare(small), await prepare(large)];
  const rates = await interleaved({
    small: { port: small.port, clients, next: few.product },
    large: { port: large.port, clients, next: many.product },
  });
  const ratio = median(rates.small) / median(rates.large);
  return [
    title,
    count(median(rates.large)),
    count(median(rates.small)),
    ratio.toFixed(2),
    verdict(ratio, growth),
    `${spread(rates.large).toFixed(0)} / ${spread(rates.small).toFixed(0)} %`,
  ];
}
