import type { TemplateVariable } from '@forecourt/contract/email-templates';
import type { Subjects } from './variable-values.ts';

/** What a template is tried on in place of real data: the longest values that its fields can have, or none. */
export type Sample = 'longest' | 'empty';

/** Words as names have them, one of them longer than a phone is wide. */
const WORDS = 'Wolfeschlegelsteinhausenbergerdorff Konstantinopolitanska-Featherstonehaugh Bartholomew Bea ';

const long = (length: number): string =>
  WORDS.repeat(Math.ceil(length / WORDS.length))
    .slice(0, length)
    .replace(/ $/, 's');

const ADDRESS = `${'long.'.repeat(12)}name@${'a-very-long-part.'.repeat(10)}example`;

/** As long as the contract lets each of them be (contract/src/deals.ts). */
export const LONGEST_DEAL = {
  customerName: long(120),
  customerNumber: '(0412) 345 678',
  customerEmail: ADDRESS,
  dealNumber: 'W'.repeat(40),
  vehicle: long(120),
  deliveryDate: '2099-09-30',
  saleAmount: 9_999_999_999.99,
  status: long(60),
  notes: long(5000),
};

/** The most that a sender may give for one variable (contract/src/email-sending.ts). */
const LONGEST_GIVEN = long(2000);

/** The same message about nothing real. What can never be empty, such as the sender, stays as it is. */
export function sampleSubjects(sample: Sample, real: Subjects): Subjects {
  if (sample === 'empty') {
    const dealership = real.dealership && { name: real.dealership.name, address: undefined };
    return { ...real, deal: undefined, deals: [], dealership, contact: undefined };
  }
  return {
    ...real,
    deal: LONGEST_DEAL,
    deals: [LONGEST_DEAL, LONGEST_DEAL, LONGEST_DEAL],
    dealership: { name: long(120), address: long(400) },
    contact: { name: long(120) },
    sender: { name: long(120), email: ADDRESS },
  };
}

/** Values for the variables that nothing fills in but the sender; the empty ones have their default. */
export const sampleGiven = (
  sample: Sample | undefined,
  variables: TemplateVariable[],
): Record<string, string> =>
  sample === 'longest'
    ? Object.fromEntries(
        variables.filter(({ linkedData }) => linkedData === null).map(({ key }) => [key, LONGEST_GIVEN]),
      )
    : {};
