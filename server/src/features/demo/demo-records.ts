import type { ResponseBody } from '@forecourt/contract/api';
import { newId } from '../../platform/ids.ts';
import { createCaller, type DemoParts } from './demo-caller.ts';
import { firstNames, lastNames, people, vehicles } from './demo-company.ts';

const [ada, ben, lena, kim, sol] = people;

const COMMENTS = [
  `@${lena.name} the dealership asks whether the fitting can be on Saturday.`,
  `@${ada.name} they want the same discount as last month. May I?`,
];
const COLOURS = ['White', 'Black', 'Silver', 'Blue', 'Red'];

/**
 * Creates records by API calls, so that notifications follow from them: custom fields with values, comments with
 * mentions, files, shared rows, change sets of several kinds, exports and a backup.
 */
export async function createDemoRecords(parts: DemoParts): Promise<void> {
  const administrator = createCaller(parts, ben.email);
  const lead = createCaller(parts, lena.email);
  const clerk = createCaller(parts, kim.email);
  const other = createCaller(parts, sol.email);
  const month = parts.clock.businessMonth();
  const rowsOf = async (owner: typeof clerk) => {
    const list = await owner.call('GET', `/deals?month=${month}&owner=${await owner.userId()}&limit=8`);
    return list.json<ResponseBody<'GET /deals'>>().items;
  };

  const { key, options } = (
    await administrator.call('POST', '/custom-fields', {
      name: 'Colour',
      type: 'select',
      options: COLOURS.map((name) => ({ name })),
    })
  ).json<ResponseBody<'POST /custom-fields'>>();
  await administrator.call('POST', '/custom-fields', {
    name: 'Finance arranged',
    type: 'checkbox',
    help: 'Tick once the bank has confirmed.',
  });

  const own = await rowsOf(clerk);
  for (const [place, { _id, version }] of own.entries())
    await clerk.call('PATCH', `/deals/${_id}`, {
      version,
      custom: { [key]: options[place % options.length]!.id },
    });
  const recipients = await Promise.all(
    [createCaller(parts, ada.email), lead].map(async (person) => ({
      userId: await person.userId(),
      permissions: 'write',
    })),
  );
  const mentioned = [recipients[1]!.userId, recipients[0]!.userId];
  for (const [place, { _id }] of own.slice(0, COMMENTS.length).entries()) {
    await clerk.call('POST', `/deals/${_id}/comments`, {
      body: COMMENTS[place],
      mentions: [mentioned[place]],
    });
    await clerk.call('PUT', `/deals/${_id}/sharing`, { sharedWith: recipients });
  }
  const first = own[0]!;
  await lead.call('POST', `/deals/${first._id}/comments`, { body: 'Saturday at nine is free.' });
  const order = [`Fitting order for ${first.customerName}`, first.vehicle, 'Saturday, 9 am'].join('\r\n');
  await clerk.call(
    'POST',
    `/deals/${first._id}/attachments`,
    new File([order], 'fitting-order.txt', { type: 'text/plain' }),
  );

  const { dealershipId } = first;
  const rows = firstNames.slice(0, 6).map((name, place) => ({
    key: newId().replaceAll('-', ''),
    deal: { dealershipId, customerName: `${name} ${lastNames[place + 9]}`, vehicle: vehicles[place] },
  }));
  await other.call('POST', '/deals/bulk/create', { rows }, 'paste demo');
  const chosen = (await rowsOf(lead)).slice(0, 3);
  // Another status than that of a row, so that the action changes something.
  const status = chosen[0]!.status === 'Called' ? 'Entered' : 'Called';
  await lead.call('POST', '/deals/bulk/status', { ids: chosen.map(({ _id }) => _id), status }, 'bulk');

  await administrator.call('POST', '/exports', { kind: 'deals', format: 'xlsx', month });
  await administrator.call('POST', '/exports', { kind: 'contacts', format: 'csv' });
  await administrator.call('POST', '/backups');
}
