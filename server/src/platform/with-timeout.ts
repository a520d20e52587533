/**
 * Returns the result of work, or that of `late` if the work takes longer than `ms` milliseconds. Such work continues, and
 * its result is ignored.
 */
export async function withTimeout<R, L>(
  ms: number,
  work: Promise<R>,
  late: () => L,
): Promise<R | Awaited<L>> {
  const timeout = Promise.withResolvers<void>();
  using _timer = setTimeout(timeout.resolve, ms);
  return await Promise.race([work, timeout.promise.then(late)]);
}
