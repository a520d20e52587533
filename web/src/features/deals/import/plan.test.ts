import type { VisibleCustomField } from '@forecourt/contract/custom-fields';
import type { ExistingDeal } from '@forecourt/contract/deal-import';
import { MAX_BULK_RECORDS } from '@forecourt/contract/deal-limits';
import type { DoNotContact } from '@forecourt/contract/do-not-contact';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CellTexts } from '../../../ui/import/cell-texts.ts';
import { matchedColumns } from '../../../ui/import/matched-columns.ts';
import { finderOf } from '../../do-not-contact/do-not-contact.queries.ts';
import { customPart } from '../custom/custom-columns.lazy.ts';
import { customColumns } from '../custom/custom-columns.ts';
import type { DealOptions } from '../deal-fields.ts';
import { cellReader, importFields } from './cells.ts';
import {
  countWrongCells,
  importPlan,
  numbersOf,
  readAgain,
  readLines,
  refusedCells,
  unknownNames,
  withContactNotes,
  withDuplicatesOfAdded,
} from './plan.ts';

const status = (name: string, active = true) => ({
  _id: name,
  name,
  color: '#2f6fb2',
  order: 1,
  active,
  isDefault: name === 'Entered',
  isClosed: false,
  countsForCommission: false,
});
const options: DealOptions = {
  timeZone: 'Australia/Sydney',
  owners: [],
  customFields: [],
  people: [],
  add: true,
  statuses: [status('Entered'), status('To Call'), status('Retired', false)],
  dealerships: [
    { _id: 'new', name: 'Harbour New Cars', active: true },
    { _id: 'used', name: 'Inland Used Cars', active: true },
    { _id: 'old', name: 'Closed Cars', active: false },
  ],
  items: [
    { _id: 'tint', name: 'Tint', price: 499.5 },
    { _id: 'cam', name: 'Dash cam', price: null },
  ],
  columns: [
    'status',
    'dealershipId',
    'customerName',
    'customerNumber',
    'customerEmail',
    'dealNumber',
    'vehicle',
    'deliveryDate',
    'items',
    'saleAmount',
    'costAmount',
    'notes',
    'followUpAt',
  ],
  currentMonth: '2026-11',
  closedMonths: [],
};
const clock = { now: new Date('2026-11-22T03:00:00Z'), timeZone: 'Australia/Sydney' };
const MONTH = { month: '2026-11' };

type Given = {
  edits?: CellTexts;
  chosen?: CellTexts;
  kept?: number[];
  usual?: string;
  onlyMonth?: string;
  known?: DealOptions;
};

/** Plans the lines below this header. In the file they start at line 2. */
function planOf(header: string[], rows: string[][], given: Given = {}, existing: object[] = []) {
  const { edits = {}, chosen = {}, kept = [], usual = '', onlyMonth = null, known = options } = given;
  const fields = importFields(known);
  const table = { header, lines: rows.map((cells, index) => ({ number: index + 2, cells })) };
  const reading = {
    fields,
    match: matchedColumns(header, fields),
    read: cellReader(known, onlyMonth, clock),
    usualDealershipId: usual,
    usualMonth: '2026-11',
    chosen,
    isAdding: true,
  };
  const lines = readAgain(readLines(table, reading, {}), table, reading, edits);
  const plan = importPlan(lines, existing as Parameters<typeof importPlan>[1], new Set(kept));
  return { ...plan, wrong: countWrongCells(plan.lines) };
}
const HEADER = ['Customer name', 'Dealer', 'Mobile', 'Deal #'];
const ann = ['Ann', 'harbour new cars', '', ''];
/** Returns one line with an extra cell. */
const oneWith = (column: string, text: string, given?: Given) => {
  const plan = planOf([...HEADER, column], [[...ann, text]], given);
  return { line: plan.lines[0]!, input: plan.rows[0]?.input };
};

test('phone numbers and addresses on the Do not contact list have a note, as they are read', () => {
  const { lines } = planOf(
    ['Customer', 'Dealership', 'Phone', 'Customer email'],
    [
      ['Ann', 'Harbour New Cars', '+61 412 345 678', 'ann@buyer.example'],
      ['Bo', 'Harbour New Cars', '', 'Bo@Buyer.example'],
      ['Cy', 'Harbour New Cars', '', ''],
    ],
  );
  const find = finderOf({
    items: ['(0412) 345 678', 'bo@buyer.example'].map((value) => ({ value }) as DoNotContact),
    total: 2,
  });
  expect(withContactNotes(lines, find).map(({ notes }) => notes)).toEqual([
    { customerNumber: 'Do not contact' },
    { customerEmail: 'Do not contact' },
    undefined,
  ]);
});

describe('a line', () => {
  test('a line of an import becomes a deal by the names of its columns and options', () => {
    const { line, input } = oneWith('Products', 'tint, Dash cam x2');
    expect(line).toMatchObject({ number: 2, errors: {}, leftOut: null });
    expect(input).toEqual({
      customerName: 'Ann',
      dealershipId: 'new',
      items: [
        { itemId: 'tint', quantity: 1 },
        { itemId: 'cam', quantity: 2 },
      ],
      ...MONTH,
    });
  });

  test.each([
    ['Status', 'Nearly', 'There is no status called “Nearly”'],
    ['Status', 'Retired', 'There is no status called “Retired”'],
    ['Dealership', 'Closed Cars', 'There is no dealership called “Closed Cars”'],
    ['Phone', '0412 34', 'Phone number must be in format (xxxx) xxx xxx'],
    ['Email', 'ann@', 'Must be an email address'],
    ['Delivery date', '31/02/2026', 'Please enter a valid date'],
    ['Follow up', 'someday', 'Please enter a valid date and time'],
    ['Sale', '-5', 'Please enter a valid number'],
    ['Items', 'Halo', 'There is no item called “Halo”'],
    ['Vehicle', 'x'.repeat(121), 'Please use at most 120 characters'],
    ['Notes', 'bell \u0007', 'Must be plain text'],
    ['Month', 'soon', 'Please enter a month such as November 2026'],
  ])('a line of an import reports what is wrong with %s “%s”', (column, text, reason) => {
    const header = ['Customer', ...(column === 'Dealership' ? [] : ['Dealership']), column];
    const cells = ['Ann', ...(column === 'Dealership' ? [] : ['Inland Used Cars']), text];
    const { lines, wrong } = planOf(header, [cells]);
    expect(Object.values(lines[0]!.errors)).toEqual([reason]);
    expect(wrong).toBe(1);
  });

  test('a line of an import needs a customer and a dealership, which can be one for all lines without one', () => {
    const rows = [
      ['', '', '', ''],
      ['Bob', 'Inland Used Cars', '', ''],
    ];
    expect(planOf(HEADER, rows).lines.map(({ errors }) => errors)).toEqual([
      { customerName: 'Customer name is required', dealershipId: 'Dealership is required' },
      {},
    ]);
    const { lines, rows: sent } = planOf(HEADER, rows, { usual: 'new' });
    expect(lines[0]!.errors).toEqual({ customerName: 'Customer name is required' });
    expect(sent.map(({ input }) => input.dealershipId)).toEqual(['new', 'used']);
  });

  test.each([
    ['Phone number', '+61 412 345 678', '(0412) 345 678'],
    ['Phone number', '412345678', '(0412) 345 678'],
    ['Delivery date', '5 Mar 26', '05/03/2026'],
    ['Follow up', '5/3/2026 2pm', '05/03/2026 14:00'],
    ['Status', 'to c', 'To Call'],
    ['Month', 'Nov 2026', 'November 2026'],
    ['Month', '11/2026', 'November 2026'],
  ])('a line of an import shows that %s “%s” was corrected to %s', (column, text, shown) => {
    const { lines, repaired } = planOf(
      ['Customer', 'Dealership', column],
      [['Ann', 'harbour new cars', text]],
    );
    const [field] = Object.keys(lines[0]!.repairs ?? {});
    expect(lines[0]!.repairs).toEqual({ [field!]: text });
    expect(lines[0]!.cells).toMatchObject({ [field!]: shown });
    expect(repaired).toBe(1);
  });

  test.each([
    ['Phone number', '(0412) 345 678'],
    ['Delivery date', '2026-03-05'],
    ['Delivery date', '5/3/2026'],
    ['Sale', '$1,234.50'],
    ['Status', 'TO CALL'],
    ['Month', '2026-11'],
  ])('a line of an import does not report %s “%s”, which differs in notation only', (column, text) => {
    expect(planOf(['Customer', 'Dealership', column], [['Ann', 'harbour new cars', text]])).toMatchObject({
      repaired: 0,
      wrong: 0,
    });
  });

  test('a line of an import stays in the only month that a user may use', () => {
    const given = { onlyMonth: '2026-11' };
    expect(oneWith('Month', 'October 2026', given).line.errors).toEqual({
      month: 'You may only use the current month',
    });
    expect(oneWith('Month', 'November 2026', given).input).toMatchObject(MONTH);
  });

  test('a line of an import has no column that is hidden from the user', () => {
    const known = { ...options, columns: ['customerName', 'dealershipId'] as DealOptions['columns'] };
    expect(oneWith('Notes', 'secret', { known }).input).toEqual({
      customerName: 'Ann',
      dealershipId: 'new',
      ...MONTH,
    });
  });

  test("a line of an import uses edited text instead of the file's", () => {
    const rows = [['Ann', 'Harbor', '', '']];
    expect(planOf(HEADER, rows).wrong).toBe(1);
    const { wrong, rows: sent } = planOf(HEADER, rows, { edits: { '2:dealershipId': 'Harbour' } });
    expect([wrong, sent[0]!.input.dealershipId]).toEqual([0, 'new']);
  });
});

test('an unknown name is mapped once for all its lines', () => {
  const rows = [
    ['Ann', 'Harbour Holden', '', ''],
    ['Bob', 'Nowhere', '', ''],
    ['Cid', 'HARBOUR holden', '', ''],
    ['Dee', 'Inland Used Cars', '', ''],
    ['Eve', '', '', ''],
  ];
  const fields = importFields(options);
  const table = { header: HEADER, lines: rows.map((cells, index) => ({ number: index + 2, cells })) };
  const match = matchedColumns(HEADER, fields);
  expect(unknownNames(table, match, cellReader(options, null, clock))).toEqual([
    { field: 'dealershipId', name: 'Harbour Holden', lines: 2 },
    { field: 'dealershipId', name: 'Nowhere', lines: 1 },
  ]);
  const { lines } = planOf(HEADER, rows, {
    chosen: { 'dealershipId:harbour holden': 'Harbour New Cars' },
    edits: { '4:dealershipId': 'Inland' },
  });
  expect(lines.map(({ input }) => input.dealershipId)).toEqual(['new', undefined, 'used', 'used', undefined]);
  expect(lines[0]).toMatchObject({ errors: {}, repairs: { dealershipId: 'Harbour Holden' } });
});

describe('duplicates', () => {
  const deal = { _id: '1', month: '2026-10', dealershipName: 'Inland Used Cars', customerName: 'Old Ann' };
  const rows = [
    ['Ann', 'Harbour New Cars', '0412 345 678', 'D-1'],
    ['Bob', 'Harbour New Cars', '0499 999 999', 'D-2'],
    ['Cid', 'Harbour New Cars', '(0499) 999 999', 'd-2'],
    ['Dee', 'Harbour New Cars', '', ''],
    ['Eve', 'Harbour New Cars', '', ''],
  ];
  const existing = [
    { ...deal, customerNumber: '(0412) 345 678', dealNumber: '' },
    { ...deal, _id: '2', dealNumber: 'D-2', customerName: 'Old Bob' },
  ];
  const duplicateTexts = (plan: ReturnType<typeof planOf>) => plan.lines.map(({ sameAs }) => sameAs);

  test('duplicates are left out, each with what it equals: an existing row or an earlier line', () => {
    const plan = planOf(HEADER, rows, {}, existing);
    expect(duplicateTexts(plan)).toEqual([
      'Same phone as Old Ann, Inland Used Cars, October 2026',
      'Same deal number as Old Bob, Inland Used Cars, October 2026',
      'Same phone as line 3. Same deal number as Old Bob, Inland Used Cars, October 2026',
      undefined,
      undefined,
    ]);
    expect(plan).toMatchObject({ duplicates: 3, leftOut: 3 });
    expect(plan.rows.map(({ input }) => input.customerName)).toEqual(['Dee', 'Eve']);
    expect(duplicateTexts(planOf(HEADER, rows))[2]).toBe('Same phone and deal number as line 3');
  });

  test('a duplicate of several rows has all of them, also if they have the same name, and a duplicate of one row has one', () => {
    const twins = [existing[0]!, { ...existing[1]!, customerName: 'Old Ann' }];
    const both = [['Ann', 'Harbour New Cars', '0412 345 678', 'D-2'], rows[0]!];
    const { lines } = planOf(HEADER, both, {}, twins);
    const old = 'Old Ann, Inland Used Cars, October 2026';
    expect(lines.map(({ sameAs, candidates }) => [sameAs, candidates?.map(({ _id }) => _id)])).toEqual([
      [`Same phone as ${old}. Same deal number as ${old}`, ['1', '2']],
      [`Same phone as ${old}`, ['1']],
    ]);
  });

  test('a line that an update adds names the row with its phone, and a line that updates a row does not', () => {
    const { lines } = planOf(HEADER, [rows[0]!, rows[1]!, rows[3]!]);
    const marked = withDuplicatesOfAdded(lines, [lines[0]!, lines[2]!], existing as ExistingDeal[]);
    expect(marked.map(({ sameAs, leftOut }) => [sameAs, leftOut])).toEqual([
      ['Same phone as Old Ann, Inland Used Cars, October 2026', null],
      [undefined, null],
      [undefined, null],
    ]);
  });

  test('duplicates are requested once for each number, and not for columns without numbers', () => {
    expect(numbersOf(planOf(HEADER, rows).lines)).toEqual([
      { customerNumbers: ['(0412) 345 678', '(0499) 999 999'], dealNumbers: ['d-1', 'd-2'] },
    ]);
    expect(numbersOf(planOf(HEADER, [ann, ann.with(3, 'D-1')]).lines)).toEqual([{ dealNumbers: ['d-1'] }]);
  });

  test('duplicates are requested in parts that the server accepts', () => {
    const lines = Array.from({ length: 2 * MAX_BULK_RECORDS + 1 }, (_, number) => {
      const phone = number < MAX_BULK_RECORDS ? `(0412) ${number}` : null;
      return { number, numbers: { phone, dealNumber: `d-${number}` } };
    });
    const parts = numbersOf(lines);
    expect(parts.map((part) => [part.customerNumbers?.length, part.dealNumbers?.length])).toEqual([
      [MAX_BULK_RECORDS, MAX_BULK_RECORDS],
      [undefined, MAX_BULK_RECORDS],
      [undefined, 1],
    ]);
  });

  test('duplicates are imported if the user includes them, and errors in excluded lines do not count', () => {
    const wrong = rows.map((cells) => cells.with(1, cells[0] === 'Bob' ? 'Nowhere' : cells[1]!));
    const plan = planOf(HEADER, wrong, { kept: [2] }, existing);
    expect(plan.rows.map(({ input }) => input.customerName)).toEqual(['Ann', 'Dee', 'Eve']);
    expect(plan).toMatchObject({ duplicates: 3, leftOut: 2, wrong: 0 });
    expect(planOf(HEADER, wrong, { kept: [2, 3] }, existing).wrong).toBe(1);
  });
});

test("the server's errors are shown at the cells of the sent rows", () => {
  const plan = planOf(HEADER, [ann, ann.with(2, '0412345678'), ann.with(2, '0412345678'), ann]);
  const refused = {
    'rows.1.customerNumber': 'No',
    'rows.2.items.0.itemId': 'Gone',
    'rows.9.status': 'Nowhere',
    dealershipId: 'Of no row in particular',
  };
  expect(refusedCells(refused, plan.rows, importFields(options))).toEqual({
    '3:customerNumber': 'No',
    '5:items': 'Gone',
  });
});

test('a file in any common format equals its rows typed', () => {
  const two = (number: number) => String(number).padStart(2, '0');
  const form = <T>(value: T, ...forms: ((value: T) => string)[]) =>
    fc.constantFrom(...forms).map((write) => write(value));
  const digits = fc.stringMatching(/^4\d{8}$/);
  const arbitrary = fc
    .record({
      phone: digits,
      day: fc.integer({ min: 1, max: 28 }),
      month: fc.integer({ min: 1, max: 12 }),
      cents: fc.integer({ min: 0, max: 999_999_99 }),
      dealership: fc.constantFrom(['new', 'Harbour New Cars'], ['used', 'Inland Used Cars']),
    })
    .chain(({ phone, day, month, cents, dealership: [id, name] }) => {
      const spaced = `${phone.slice(0, 3)} ${phone.slice(3, 6)} ${phone.slice(6)}`;
      const amount = cents / 100;
      return fc.tuple(
        fc.constant({
          customerName: 'Ann',
          dealershipId: id!,
          customerNumber: `(0${phone.slice(0, 3)}) ${phone.slice(3, 6)} ${phone.slice(6)}`,
          deliveryDate: `2026-${two(month)}-${two(day)}`,
          saleAmount: amount,
          ...MONTH,
        }),
        fc.tuple(
          fc.constant('Ann'),
          form(
            name!,
            String,
            (text) => text.toUpperCase(),
            (text) => text.slice(0, 4),
          ),
          form(
            spaced,
            (text) => `0${text}`,
            (text) => `+61 ${text}`,
            (text) => `61${text.replaceAll(' ', '')}`,
            () => phone,
            (text) => `(0${text.replace(' ', ') ')}`,
          ),
          form(
            [day, month] as const,
            ([d, m]) => `${d}/${m}/2026`,
            ([d, m]) => `${two(d)}-${two(m)}-26`,
            ([d, m]) => `2026-${two(m)}-${two(d)}`,
            ([d, m]) => `${d}.${m}.2026`,
            ([d, m]) => `${two(d)}/${two(m)}/2026 00:00:00`,
          ),
          form(
            amount,
            (value) => value.toFixed(2),
            (value) => `$${value.toLocaleString('en-AU', { minimumFractionDigits: 2 })}`,
            (value) => `AUD ${value}`,
          ),
        ),
      );
    });
  fc.assert(
    fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 20 }), (rows) => {
      const header = ['Name', 'Dealership', 'Tel', 'Delivered', 'Amount'];
      const kept = rows.map((_, index) => index + 2);
      const plan = planOf(
        header,
        rows.map(([, cells]) => cells),
        { kept },
      );
      expect(plan.rows.map(({ input }) => input)).toEqual(rows.map(([typed]) => typed));
      expect(plan.wrong).toBe(0);
    }),
  );
});

describe('custom fields', () => {
  beforeEach(() => customPart.set(customColumns));
  const field = (number: number, name: string, type: VisibleCustomField['type'], changes: object = {}) => ({
    key: `custom${number}` as const,
    name,
    type,
    help: '',
    options: [
      { id: 'o1', name: 'Cash', active: true },
      { id: 'o2', name: 'Loan', active: true },
    ],
    isRequired: false,
    defaultValue: null,
    editable: true,
    ...changes,
  });
  const known: DealOptions = {
    ...options,
    people: [{ _id: 'u1', name: 'Kim Clerk' }],
    customFields: [
      field(1, 'Finance', 'select'),
      field(2, 'Extras', 'multiSelect'),
      field(3, 'Handler', 'person'),
      field(4, 'Paid', 'checkbox'),
      field(5, 'Branch', 'text', { isRequired: true }),
      field(6, 'Margin', 'percent', { editable: false }),
    ],
  };
  const header = ['Customer', 'Dealership', 'finance', 'Extras', 'Handler', 'Paid', 'Branch', 'Margin'];
  const line = (...custom: string[]) => ['Ann', 'Harbour New Cars', ...custom];

  test('custom fields of an import are read like cells of the table, by their names', () => {
    const plan = planOf(header, [line('loan', 'Loan, cash', 'kim clerk', 'y', 'North', '12')], { known });
    expect(plan.wrong).toBe(0);
    expect(plan.rows[0]!.input).toEqual({
      customerName: 'Ann',
      dealershipId: 'new',
      month: '2026-11',
      custom: { custom1: 'o2', custom2: ['o1', 'o2'], custom3: 'u1', custom4: true, custom5: 'North' },
    });
    expect(plan.lines[0]!.cells).toMatchObject({ custom1: 'Loan', custom2: 'Cash, Loan', custom4: 'Yes' });
  });

  test('custom fields of an import that are wrong or missing are marked, also by the server', () => {
    const { lines, rows } = planOf(header, [line('Barter', '', 'Nobody', 'maybe', '', '')], { known });
    expect(Object.keys(lines[0]!.errors).sort()).toEqual(['custom1', 'custom3', 'custom4', 'custom5']);
    expect(lines[0]!.errors.custom5).toBe('Branch is required');
    expect(refusedCells({ 'rows.0.custom.custom1': 'Choose one' }, rows, importFields(known))).toEqual({
      '2:custom1': 'Choose one',
    });
  });
});
