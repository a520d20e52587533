export type InFlight = ReturnType<typeof createInFlight>;

/** Counts requests in flight, so that long work can yield to them. */
export function createInFlight() {
  let count = 0;
  return {
    isBusy: (): boolean => count > 0,
    async track<T>(work: () => Promise<T>): Promise<T> {
      count += 1;
      try {
        return await work();
      } finally {
        count -= 1;
      }
    },
  };
}
