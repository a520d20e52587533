import { addDeal } from '@forecourt/server/test/builders';
import { expect, test } from 'vitest';
import { openCompany, type Person } from './company.fixture.ts';
import { CLERK, openDataEntry, type DataEntry } from './data-entry.fixture.ts';

const { company, browser } = await openCompany();
const cory = await company.addPerson({
  name: 'Cory Colleague',
  permissions: { dataEntry: { ...CLERK.dataEntry, canDeleteRows: true } },
});
/** Opens one user's rows on two screens: theirs, and that of Cory, who has the first row active. */
async function open(owner: Person, names: readonly string[]) {
  const ids: string[] = [];
  for (const customerName of names)
    ids.push((await addDeal(company, owner, company.dealershipId, { customerName }))._id);
  const [olas, corys] = await Promise.all([
    openDataEntry(company, browser, owner),
    openDataEntry(company, browser, cory),
  ]);
  await corys.cell(names[0]!, 'Vehicle').click();
  /** Waits until Cory's screen shows whether Cory may change the row. */
  const expectCorysRight = (may: boolean) =>
    corys.page.getByRole('button', { name: 'Delete', exact: true, disabled: !may }).waitFor();
  await expectCorysRight(false);
  const levels = () =>
    Promise.all(
      ids.map(async (id) => {
        const { body } = await company.call(`GET /deals/${id}`);
        return body.sharedWith.map((share: { permissions: string }) => share.permissions).join();
      }),
    );
  const close = () => Promise.all([olas.close(), corys.close()]);
  return { ids, olas, expectCorysRight, levels, close };
}

/** Shares the selection with Cory for editing. */
async function share({ page }: DataEntry): Promise<void> {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: `Cory Colleague (${cory.email})` }).check();
  await dialog.getByText('Edit', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Update Sharing' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

const countNotifications = async (): Promise<number> =>
  (await company.call('GET /notifications', { token: cory.token })).body.items.length;

test('rows shared by mistake are unshared with one key, and shared again with another', async () => {
  const ola = await company.addPerson({
    name: 'Ola Owner',
    permissions: { ...CLERK, features: { bulkEdit: true } },
  });
  const names = ['Sam Shared', 'Sue Shared', 'Sid Shared'];
  const { ids, olas, expectCorysRight, levels, close } = await open(ola, names);
  await company.call(`PUT /deals/${ids[2]}/sharing`, {
    token: ola.token,
    body: { sharedWith: [{ userId: cory.id, permissions: 'view' }] },
  });
  await olas.cell('Sam Shared', 'Notes').click();
  for (const name of names) await olas.row(name).getByRole('checkbox').click();
  await share(olas);
  await expectCorysRight(true);
  await expect.poll(() => levels()).toEqual(['write', 'write', 'write']);
  const before = await countNotifications();

  await olas.cell('Sam Shared', 'Notes').click();
  await olas.press('Control+z');
  await olas.page.getByText('Undone: 3 rows').waitFor();
  await expectCorysRight(false);
  await expect.poll(() => levels()).toEqual(['', '', 'view']);

  await olas.press('Control+Shift+z');
  await olas.page.getByText('Redone: 3 rows').waitFor();
  await expectCorysRight(true);
  await expect.poll(() => levels()).toEqual(['write', 'write', 'write']);
  // Cory was notified the first time.
  await expect.poll(() => countNotifications()).toBe(before);

  await company.call(`PATCH /deals/${ids[1]}`, { token: cory.token, body: { version: 4, notes: 'Cory' } });
  await olas.cell('Sue Shared', 'Notes').getByText('Cory').waitFor();
  await olas.press('Control+z');
  await olas.page.getByText('1 row left as they are: somebody else has changed').waitFor();
  await expectCorysRight(false);
  await expect.poll(() => levels()).toEqual(['', 'write', 'view']);
  await close();
});

test('a user without bulk edit undoes the share of one row', async () => {
  const olga = await company.addPerson({ name: 'Olga Owner', permissions: CLERK });
  const { olas, expectCorysRight, levels, close } = await open(olga, ['Una Shared']);
  await olas.cell('Una Shared', 'Notes').click();
  await share(olas);
  await expectCorysRight(true);
  await olas.cell('Una Shared', 'Notes').click();
  await olas.press('Control+z');
  await olas.page.getByText('Undone: 1 row').waitFor();
  await expectCorysRight(false);
  await expect.poll(() => levels()).toEqual(['']);
  await olas.press('Control+Shift+z');
  await expectCorysRight(true);
  await expect.poll(() => levels()).toEqual(['write']);
  await close();
});
