import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStreamReader, type StreamMessage } from './event-stream.ts';

const stream =
  ': hello\n\nid: 7\nevent: change\ndata: {"a":1}\n\ndata: first\r\ndata:second\r\n\r\nevent: end\nretry: 10\ndata: {"code":"X"}\n\ndata\ndata:  a: b\n\nevent: cut';

function read(pieces: readonly string[]): StreamMessage[] {
  const messages: StreamMessage[] = [];
  const take = createStreamReader((message) => messages.push(message));
  pieces.forEach(take);
  return messages;
}

test('messages have an id, an event and data; comments, other fields and unfinished messages are ignored', () => {
  expect(read([stream])).toEqual([
    { id: '7', event: 'change', data: '{"a":1}' },
    { id: '7', event: 'message', data: 'first\nsecond' },
    { id: '7', event: 'end', data: '{"code":"X"}' },
    { id: '7', event: 'message', data: '\n a: b' },
  ]);
});

test('a stream may be split anywhere', () => {
  const whole = read([stream]);
  fc.assert(
    fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), stream.length];
      const pieces = at.slice(1).map((end, index) => stream.slice(at[index], end));
      expect(read(pieces)).toEqual(whole);
    }),
  );
});
