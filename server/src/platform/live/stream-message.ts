/** Returns a server-sent event as bytes, which are encoded once for all streams that receive it. `data` has no line break. */
export const streamMessage = (event: string, data: string, id?: string): Buffer =>
  Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
