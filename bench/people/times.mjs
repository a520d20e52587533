// A histogram in whole milliseconds, so that memory does not grow with the duration of the run.
const LONGEST_MS = 60_000;

/** Creates a histogram of times in milliseconds. */
export function createHistogram() {
  const counts = new Uint32Array(LONGEST_MS + 1);
  let [count, max] = [0, 0];
  return {
    add(ms) {
      counts[Math.min(Math.max(0, Math.round(ms)), LONGEST_MS)] += 1;
      count += 1;
      if (ms > max) max = ms;
    },
    count: () => count,
    max: () => max,
    /** Returns the smallest time that this share (0 to 1) of all times does not exceed. */
    quantile(share) {
      let left = Math.ceil(count * share);
      for (let ms = 0; ms <= LONGEST_MS; ms += 1) {
        left -= counts[ms];
        if (left <= 0) return ms;
      }
      return LONGEST_MS;
    },
  };
}

/** Creates a seeded, reproducible generator of numbers from 0 to 1 (exclusive). */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
