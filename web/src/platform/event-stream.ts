/** One message of a server-sent event stream. */
export type StreamMessage = { id: string; event: string; data: string };

/**
 * Creates a parser for a server-sent event stream, whose chunks may end anywhere. Ignores comments (lines that start
 * with a colon), which are heartbeats.
 */
export function createStreamReader(onMessage: (message: StreamMessage) => void): (piece: string) => void {
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];

  const readLine = (line: string): void => {
    if (line === '') {
      if (data.length > 0) onMessage({ id, event: event || 'message', data: data.join('\n') });
      event = '';
      data = [];
      return;
    }
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'id') id = value;
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  };

  return (piece) => {
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(readLine);
  };
}
