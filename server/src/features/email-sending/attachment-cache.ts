/**
 * Caches the files of messages in flight. Each file is read once for all messages that are sent with it at the same
 * time, and dropped after the last of them, so that memory is bounded.
 */
export function createAttachmentCache() {
  const cache = new Map<string, { content: Promise<Buffer>; users: number }>();

  function acquire(id: string, read: (id: string) => Promise<Buffer>): Promise<Buffer> {
    const file = cache.getOrInsertComputed(id, () => ({ content: read(id), users: 0 }));
    file.users += 1;
    return file.content;
  }

  function release(id: string): void {
    const file = cache.get(id)!;
    file.users -= 1;
    if (file.users === 0) cache.delete(id);
  }

  return async function withFiles<R>(
    ids: string[],
    read: (id: string) => Promise<Buffer>,
    work: (contents: Buffer[]) => Promise<R>,
  ): Promise<R> {
    const contents = ids.map((id) => acquire(id, read));
    try {
      return await work(await Promise.all(contents));
    } finally {
      for (const id of ids) release(id);
    }
  };
}
