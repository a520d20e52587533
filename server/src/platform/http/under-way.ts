export type UnderWay = ReturnType<typeof createUnderWay>;

/** Knows whether somebody waits for an answer, so that long work can give way. */
export function createUnderWay() {
  let calls = 0;
  return {
    isBusy: (): boolean => calls > 0,
    async during<T>(work: () => Promise<T>): Promise<T> {
      calls += 1;
      try {
        return await work();
      } finally {
        calls -= 1;
      }
    },
  };
}
