import { expect, test } from 'vitest';
import { headersOf, matchedColumns, withRemembered, type ImportField } from './matched-columns.ts';

const fields: ImportField<'name' | 'template' | 'email'>[] = [
  { field: 'name', label: 'Name', aliases: ['Dealership'] },
  { field: 'template', label: 'Default Template', aliases: ['Template'] },
  { field: 'email', label: 'Contact email', aliases: ['Email', 'E-mail address'] },
];

test('matches columns by name, ignoring case, accents and punctuation', () => {
  expect(matchedColumns(['CONTACT E-MAIL', 'default_template', ' Náme: '], fields)).toEqual({
    name: 2,
    template: 1,
    email: 0,
  });
});

test('matches aliases where the label is missing, and no column twice', () => {
  expect(matchedColumns(['Dealership', 'Template', 'Template', 'Phone'], fields)).toEqual({
    name: 0,
    template: 1,
    email: null,
  });
  expect(matchedColumns(['Dealership', 'Name'], fields).name).toBe(1);
});

test('of several equal headers the one that was matched is remembered, also beside one that looks numbered', () => {
  const header = ['Email', 'Name', 'Email', 'Email (2)', 'Email'];
  const none = { name: null, template: null, email: null };
  for (const email of [0, 2, 3, 4]) {
    const remembered = headersOf({ ...none, email }, header);
    expect(withRemembered(none, remembered, header, new Set())).toEqual({ ...none, email });
  }
  expect(headersOf({ ...none, email: 2 }, header)).toEqual({ email: 'Email (3)' });
});
