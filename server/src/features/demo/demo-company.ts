/** A fictional company: its staff, its customers, and its products. */

export const people = [
  { name: 'Ada Marsh', email: 'ada@demo.example', role: 'admin', preset: {} },
  { name: 'Ben Okoro', email: 'ben@demo.example', role: 'admin', preset: {} },
  { name: 'Lena Fraser', email: 'lena@demo.example', role: 'user', preset: lead() },
  { name: 'Kim Tran', email: 'kim@demo.example', role: 'user', preset: clerk() },
  { name: 'Sol Haddad', email: 'sol@demo.example', role: 'user', preset: clerk() },
  { name: 'Mia Petrov', email: 'mia@demo.example', role: 'user', preset: clerk() },
] as const;

function clerk() {
  return { dataEntry: { canAddRows: true, canEditRows: true, canDeleteRows: true } };
}

function lead() {
  return {
    features: { bulkEdit: true, manageTemplates: true, manageItems: true },
    dataEntry: { ...clerk().dataEntry, canChangeOwnership: true },
    dealershipConfiguration: { viewDealerships: true, editDealerships: true },
    emailTemplateConfiguration: { viewTemplates: true, editTemplates: true },
    itemConfiguration: { viewItems: true, editItems: true },
  };
}

/** Percent of the sale by commission type. */
export const rates = { newSales: 8, usedSales: 6, defaultSales: 5 };

export const dealerships = [
  ['Harbour New Cars', '12 Pier Street, Sydney NSW 2000'],
  ['Harbour Used Cars', '14 Pier Street, Sydney NSW 2000'],
  ['Ridgeway Motors', '201 Ridge Road, Penrith NSW 2750'],
  ['Coastline New Vehicles', '5 Ocean Parade, Wollongong NSW 2500'],
  ['Bayside Used Autos', '88 Bay Road, Cronulla NSW 2230'],
  ['Plains Car Centre', '310 Western Highway, Dubbo NSW 2830'],
  ['Summit New Cars', '7 Alpine Way, Canberra ACT 2601'],
  ['Lakeside Motors', '45 Lake Street, Ballarat VIC 3350'],
  ['Gateway Used Cars', '600 Ring Road, Geelong VIC 3220'],
  ['Northern Star New Cars', '19 Palm Avenue, Brisbane QLD 4000'],
  ['Riverbend Auto', '3 Wharf Lane, Maitland NSW 2320'],
  ['Southern Cross Motors', '72 Station Street, Hobart TAS 7000'],
] as const;

/** Name, category, price and cost in AUD. */
export const items = [
  ['Paint protection', 'Protection', 1299, 410],
  ['Interior protection', 'Protection', 699, 180],
  ['Window tint', 'Tint', 549, 190],
  ['Premium window tint', 'Tint', 849, 310],
  ['Dash cam', 'Electronics', 429, 215],
  ['Front and rear dash cam', 'Electronics', 649, 330],
  ['Service plan, 3 years', 'Plans', 1490, 890],
  ['Extended warranty', 'Plans', 1990, 1120],
] as const;

export const templates = [
  {
    name: 'Daily update',
    subject: 'Your buyer {{customer}}',
    message: 'we have spoken with your buyer about paint protection, tint and the rest of our range.',
  },
  {
    name: 'Booking',
    subject: 'Fitting booked for {{customer}}',
    message: 'the fitting is booked. Please have the vehicle ready on the day of delivery.',
  },
] as const;

export const statementTemplate = {
  name: 'Account statement',
  subject: 'Your statement for {{month}}',
  message: 'the statement of what we sold to your customers is attached. Its total is ',
} as const;

const FIRST_NAMES =
  'Ann Bob Cora Dev Ella Finn Gus Hana Ivy Jack Kai Lia Max Nina Omar Pia Quinn Rosa Sam Tess';
const LAST_NAMES =
  'Adler Bell Chan Dunn Evans Ford Gray Hill Ito James Khan Lowe Moss Nash Ortiz Park Reid Shaw Tan Wood';
export const firstNames = FIRST_NAMES.split(' ');
export const lastNames = LAST_NAMES.split(' ');
/** Returns the recipients of a dealership's emails: a person in To and the front desk in Cc. */
export function contactsOf(dealership: number) {
  const host = `${dealerships[dealership]![0].toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`;
  const name = firstNames[dealership]!;
  return [
    { name, email: `${name.toLowerCase()}@${host}` },
    { name: 'Front desk', email: `desk@${host}` },
  ] as const;
}

export const vehicles = [
  'Toyota Corolla',
  'Mazda CX-5',
  'Ford Ranger',
  'Hyundai i30',
  'Kia Sportage',
  'Subaru Forester',
  'MG ZS',
  'Tesla Model 3',
];

/** The frequency of each status in past months, in the order of the seeded statuses. */
export const settledStatuses = {
  Entered: 1,
  Called: 4,
  Deal: 58,
  'No deal': 32,
  'Deal Not Entered': 4,
  'To Call': 1,
};
/** The frequency of each status in the current month. */
export const openStatuses = {
  Entered: 20,
  Called: 25,
  Deal: 25,
  'No deal': 12,
  'Deal Not Entered': 3,
  'To Call': 15,
};
