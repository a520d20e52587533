import { expect, test } from 'vitest';
import { matchedColumns, type ImportField } from './matched-columns.ts';

const fields: ImportField<'name' | 'template' | 'email'>[] = [
  { field: 'name', label: 'Name', aliases: ['Dealership'] },
  { field: 'template', label: 'Default Template', aliases: ['Template'] },
  { field: 'email', label: 'Contact email', aliases: ['Email', 'E-mail address'] },
];

test('columns are found by their names, whatever their case, accents and signs', () => {
  expect(matchedColumns(['CONTACT E-MAIL', 'default_template', ' Náme: '], fields)).toEqual({
    name: 2,
    template: 1,
    email: 0,
  });
});

test('other names count where the own one is missing, and no column counts twice', () => {
  expect(matchedColumns(['Dealership', 'Template', 'Template', 'Phone'], fields)).toEqual({
    name: 0,
    template: 1,
    email: null,
  });
  expect(matchedColumns(['Dealership', 'Name'], fields).name).toBe(1);
});
