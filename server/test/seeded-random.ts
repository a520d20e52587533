/**
 * Returns a generator of random numbers from 0 to 1 that is reproducible by SEED. Prints the seed, so that a failed run
 * can be repeated: `SEED=… npm test -- kill`.
 */
export function seededRandom(name: string): () => number {
  const seed = Number(process.env.SEED ?? (process.env.LONG_TESTS ? Date.now() % 1_000_000 : 1));
  process.stdout.write(`${name}: SEED=${seed}\n`);
  let state = seed;
  return () => {
    // mulberry32: small, and random enough for test data.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
