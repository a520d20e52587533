import { EmailAddress } from '@forecourt/contract/route';
import { describe, expect, test } from 'vitest';
import { cellKey, type CellTexts } from '../../ui/import/cell-texts.ts';
import { matchedColumns } from '../../ui/import/matched-columns.ts';
import { importFields, importPlan, refusedCells } from './dealership-import-values.ts';

const HEADER = [
  'Name',
  'Address',
  'Default Template',
  'Contact name',
  'Contact email',
  'Contact template',
  'To',
  'Cc',
];
const templates = [
  { _id: 'daily', name: 'Daily' },
  { _id: 'weekly', name: 'Weekly' },
];

function plan(
  rows: string[][],
  given: { edits?: CellTexts; usualTemplateId?: string; existing?: string[] } = {},
) {
  return importPlan({
    table: { header: HEADER, lines: rows.map((cells, index) => ({ number: index + 2, cells })) },
    match: matchedColumns(HEADER, importFields),
    edits: {},
    templates,
    usualTemplateId: '',
    existing: [],
    ...given,
  });
}
const errors = (...given: Parameters<typeof plan>) =>
  Object.fromEntries(plan(...given).lines.map(({ number, errors: found }) => [number, found]));

const harbour = ['Harbour Cars', '1 Pier  Street', 'daily', 'Tess To', 'tess@harbour.example', '', 'yes', ''];

describe('a dealership', () => {
  test('a dealership of an import is parsed from its line', () => {
    expect(plan([harbour])).toMatchObject({
      wrong: 0,
      leftOut: 0,
      dealerships: [
        {
          line: 2,
          contactLines: [2],
          input: {
            name: 'Harbour Cars',
            address: '1 Pier Street',
            defaultEmailTemplateId: 'daily',
            active: true,
            contacts: [
              {
                name: 'Tess To',
                email: 'tess@harbour.example',
                templateName: 'Daily',
                includeInTo: true,
                includeInCc: false,
                active: true,
              },
            ],
          },
        },
      ],
    });
  });

  test('a dealership of an import has the contacts of all lines with its name', () => {
    const { dealerships, wrong } = plan([
      harbour,
      ['Inland Cars', '2 Dry Road', 'Weekly'],
      ['HARBOUR CARS', '', '', 'Cam Copy', 'cam@harbour.example', 'WEEKLY', '', 'x'],
    ]);
    expect(wrong).toBe(0);
    expect(dealerships.map(({ input, contactLines }) => [input.name, contactLines])).toEqual([
      ['Harbour Cars', [2, 4]],
      ['Inland Cars', []],
    ]);
    expect(dealerships[0]?.input.contacts[1]).toMatchObject({
      templateName: 'Weekly',
      includeInTo: false,
      includeInCc: true,
    });
  });

  test('a dealership of an import that already exists is left out, with its errors', () => {
    const { dealerships, leftOut, wrong, lines } = plan([['harbour cars'], ['Harbour Cars', '', 'Monthly']], {
      existing: ['Harbour Cars'],
    });
    expect([dealerships, leftOut, wrong]).toEqual([[], 1, 0]);
    expect(lines.map((line) => line.leftOut)).toEqual(['Already here, left out', 'Already here, left out']);
  });

  test('a dealership of an import without a template in its line gets the chosen one', () => {
    expect(errors([['A', '1 Pier', '']])).toEqual({ 2: { template: 'Default email template is required' } });
    const { wrong, dealerships } = plan([['A', '1 Pier', '', 'Tess', 'tess@a.example']], {
      usualTemplateId: 'weekly',
    });
    expect(wrong).toBe(0);
    expect(dealerships[0]?.input).toMatchObject({
      defaultEmailTemplateId: 'weekly',
      contacts: [{ templateName: 'Weekly', includeInTo: true }],
    });
  });
});

describe('errors', () => {
  test('errors of an import are assigned to their cells', () => {
    expect(
      errors([
        ['', '1 Pier Street', 'Daily'],
        ['A', '', 'Monthly', '', 'tess@', 'Monthly', 'perhaps', 'often'],
        ['B', '1 Pier Street', 'Daily'],
        ['B', '2 Pier Street', 'Weekly'],
        ['C'.repeat(121), 'D'.repeat(401), 'Daily'],
      ]),
    ).toEqual({
      2: { name: 'Dealership name is required' },
      3: {
        address: 'Address is required',
        template: 'There is no template of this name',
        contactName: 'Contact name is required',
        contactEmail: 'Must be an email address',
        contactTemplate: 'There is no template of this name',
        to: 'Enter yes or no',
        cc: 'Enter yes or no',
      },
      4: {},
      5: { address: 'Differs from line 4', template: 'Differs from line 4' },
      6: { name: 'Must be at most 120 characters', address: 'Must be at most 400 characters' },
    });
  });

  test('errors of an import include a contact over the limit', () => {
    const many = Array.from({ length: 51 }, () => harbour);
    expect(errors(many)[52]).toEqual({ contactName: 'A dealership has at most 50 contacts' });
  });

  test('errors of an import disappear once a cell is corrected', () => {
    const wrong = harbour.with(4, 'tess@');
    expect(plan([wrong]).wrong).toBe(1);
    const edits = { [cellKey(2, 'contactEmail')]: 'tess@harbour.example' };
    const { wrong: left, dealerships } = plan([wrong], { edits });
    expect([left, dealerships[0]?.input.contacts[0]?.email]).toEqual([0, 'tess@harbour.example']);
  });
});

test.each(['tess..to@harbour.example', 'tess&to@harbour.example', 'tess@harbour.x'])(
  'the address %s is refused, as the server refuses it',
  (email) => {
    const line = harbour.with(4, email);
    expect(EmailAddress.safeParse(email).success).toBe(false);
    expect(errors([line])).toEqual({ 2: { contactEmail: 'Must be an email address' } });
  },
);

test('a refusal of the server is assigned to its cell', () => {
  const { dealerships } = plan([harbour, ['Inland Cars', '2 Dry Road', 'Weekly'], harbour]);
  const refused = {
    'dealerships.0.contacts.1.email': 'Must be an email address',
    'dealerships.1.name': 'There is already a dealership with this name',
    'dealerships.1.defaultEmailTemplateId': 'Default email template is required',
  };
  expect(refusedCells(refused, dealerships)).toEqual({
    '4:contactEmail': 'Must be an email address',
    '3:name': 'There is already a dealership with this name',
    '3:template': 'Default email template is required',
  });
});
