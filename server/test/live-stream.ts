type Reader = ReadableStreamDefaultReader<string>;

/** Opens a user's live stream as text. `query` is appended to the path, for example `?recent=1`. */
export async function openLiveStream(url: string, token: string, query = '') {
  const stop = new AbortController();
  const response = await fetch(`${url}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const reader: Reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  return { reader, headers: response.headers, stop: () => stop.abort() };
}

/**
 * Reads on after `text` until the condition holds, and returns the whole text. Throws if the stream ends first: reads
 * of an ended stream resolve at once, and the loop would never end.
 */
export async function readUntil(
  reader: Reader,
  isEnough: (text: string) => boolean,
  text = '',
): Promise<string> {
  while (!isEnough(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended: ${text}`);
    text += value;
  }
  return text;
}
