type Reader = ReadableStreamDefaultReader<string>;

/** Opens a person's live stream, to be read as text. `query` is what follows the path, such as `?recent=1`. */
export async function openLiveStream(url: string, token: string, query = '') {
  const stop = new AbortController();
  const answer = await fetch(`${url}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const reader: Reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  return { reader, headers: answer.headers, stop: () => stop.abort() };
}

/**
 * Reads on after `said` until that is enough, and answers all of it. Throws where the stream ends before: an ended
 * one answers every further read at once, so that a loop which only waits for words would never let go.
 */
export async function readUntil(
  reader: Reader,
  isEnough: (said: string) => boolean,
  said = '',
): Promise<string> {
  while (!isEnough(said)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended: ${said}`);
    said += value;
  }
  return said;
}
