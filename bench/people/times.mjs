// Many measured times in little memory: counted by whole milliseconds, so that ten minutes of them cost what one does.
const LONGEST_MS = 60_000;

/** Times in milliseconds, of which there may be millions. */
export function createTimes() {
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
    /** What this share of them was not above, from 0 to 1. */
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

/** Seeded, so that two runs do the same: from 0 to 1, without 1. */
export function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
