/**
 * Processes `size` bytes in chunks, several at a time. After a failure no chunk begins, and it is thrown when those that
 * have begun have ended.
 */
export async function inParallel(
  size: number,
  { chunk, concurrency }: { chunk: number; concurrency: number },
  work: (position: number, length: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < size) {
      const position = next;
      next += chunk;
      await work(position, Math.min(chunk, size - position)).catch((error: unknown) => {
        next = size;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, worker));
  const failed = ended.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}
