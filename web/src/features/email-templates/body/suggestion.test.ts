import { EditorState, TextSelection } from '@tiptap/pm/state';
import { getSchema } from '@tiptap/react';
import { expect, test } from 'vitest';
import { bodyExtensions } from './body-extensions.ts';
import { suggestionAt } from './suggestion.ts';

const schema = getSchema(bodyExtensions);

/** The editor with these nodes in one paragraph and the cursor at its end. */
function typed(...content: object[]): EditorState {
  const doc = schema.nodeFromJSON({ type: 'doc', content: [{ type: 'paragraph', content }] });
  return EditorState.create({ doc, selection: TextSelection.create(doc, doc.content.size - 1) });
}
const text = (words: string) => ({ type: 'text', text: words });
const chip = { type: 'variable', attrs: { key: 'name' } };

test('two braces open the list, and the text after them is the query', () => {
  expect(suggestionAt(typed(text('Dear {{')))).toEqual({ from: 6, to: 8, query: '' });
  expect(suggestionAt(typed(text('Dear {{cust')))).toEqual({ from: 6, to: 12, query: 'cust' });
});

test('a chip before counts as one character', () => {
  expect(suggestionAt(typed(chip, text(' {{ve')))).toEqual({ from: 3, to: 7, query: 've' });
});

test.each(['Dear {', 'Dear {{name}', 'Dear {{name}}', 'Dear {{a.b'])(
  'the text %o opens no list of variables',
  (words) => {
    expect(suggestionAt(typed(text(words)))).toBeNull();
  },
);
