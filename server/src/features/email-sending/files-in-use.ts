/**
 * Files that are being sent just now. Each is read once for all messages that go out with it at the same time, and
 * forgotten when the last of them is through: however many messages wait, memory holds what is on its way.
 */
export function createFilesInUse() {
  const held = new Map<string, { content: Promise<Buffer>; users: number }>();

  function hold(id: string, read: (id: string) => Promise<Buffer>): Promise<Buffer> {
    const file = held.get(id) ?? { content: read(id), users: 0 };
    file.users += 1;
    held.set(id, file);
    return file.content;
  }

  function release(id: string): void {
    const file = held.get(id)!;
    file.users -= 1;
    if (file.users === 0) held.delete(id);
  }

  /** Does some work with what is in these files, in their order. */
  return async function withFiles<R>(
    ids: string[],
    read: (id: string) => Promise<Buffer>,
    work: (contents: Buffer[]) => Promise<R>,
  ): Promise<R> {
    const contents = ids.map((id) => hold(id, read));
    try {
      return await work(await Promise.all(contents));
    } finally {
      for (const id of ids) release(id);
    }
  };
}
