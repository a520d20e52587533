import { ItemInput } from '@forecourt/contract/items';
import type { ReactElement } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { ApiError } from '../platform/api-error.ts';
import type { ComparedField } from './foreign-changes.ts';
import { schemas } from './schemas.ts';
import { useRecordForm } from './use-record-form.ts';

type Values = { name: string; category: string; price: string };
type Item = Values & { version: number };
type Input = { name: string; category: string; price: number; version?: number };
type Save = (input: Input, idempotencyKey: string) => Promise<Item | void>;

const NAMES = ['name', 'category', 'price'] as const;
const fields: readonly ComparedField<Values>[] = NAMES.map((field) => ({ field, label: field }));

type Props = { record: Item | undefined; save: Save };

function Form({ record, save }: Props): ReactElement {
  const form = useRecordForm({
    record,
    valuesOf: (item): Values => ({
      name: item?.name ?? '',
      category: item?.category ?? '',
      price: item?.price ?? '',
    }),
    inputOf: ({ name, category, price }, base): Input => ({
      name,
      category,
      price: Number(price),
      ...(base && { version: base.version }),
    }),
    schema: 'item',
    fields,
    save,
  });
  return (
    <form aria-label="Form" onSubmit={form.onSubmit}>
      {NAMES.map((name) => {
        const { error, ...props } = form.text(name);
        return (
          <div key={name}>
            <input aria-label={name} aria-invalid={error !== undefined} {...props} />
            <p>{error}</p>
          </div>
        );
      })}
      <p role="alert">{form.message}</p>
      <output>{JSON.stringify(form.conflict.changes)}</output>
      <button type="button" onClick={() => form.conflict.take('name')}>
        Take name
      </button>
      <button type="submit">{form.busy ? 'Saving' : 'Save'}</button>
    </form>
  );
}

const stored: Item = { version: 1, name: 'Harbour', category: 'Cars', price: '1' };
const conflictWith = (current: Item) => new ApiError(409, 'Changed', 'CONFLICT', { current });

async function openForm(props: Partial<Props> = {}) {
  const save = vi.fn<Save>(() => Promise.resolve());
  const screen = await render(<Form record={stored} save={save} {...props} />);
  return {
    save,
    name: screen.getByLabelText('name'),
    category: screen.getByLabelText('category'),
    price: screen.getByLabelText('price'),
    press: (name: string) => screen.getByRole('button', { name }).click(),
    message: screen.getByRole('alert'),
    screen,
    changes: () => JSON.parse(screen.getByRole('status').element().textContent) as unknown,
  };
}

describe("the contract's schema", () => {
  test("the contract's schema refuses values in its own words before anything is sent, also while it is being loaded", async () => {
    const { promise, resolve } = Promise.withResolvers<typeof ItemInput>();
    vi.spyOn(schemas, 'item').mockReturnValueOnce(promise);
    const { save, name, price, press, screen } = await openForm();
    await name.fill(' ');
    await price.fill('-1');
    await press('Save');
    await expect.element(name).toHaveAttribute('aria-invalid', 'false');
    resolve(ItemInput);
    await expect.element(screen.getByText('Item name is required')).toBeVisible();
    await expect.element(name).toHaveAttribute('aria-invalid', 'true');
    await expect.element(name).toHaveFocus();
    await expect.element(screen.getByText('Please enter a valid number')).toBeVisible();
    expect(save).not.toHaveBeenCalled();
    await name.fill('a'.repeat(81));
    await price.fill('2');
    await press('Save');
    await expect.element(screen.getByText('Must be at most 80 characters')).toBeVisible();
    expect(save).not.toHaveBeenCalled();
  });

  test("the contract's schema leaves everything to the server where its file cannot be loaded", async () => {
    vi.spyOn(schemas, 'item').mockRejectedValueOnce(new Error('offline'));
    const { save, name, press } = await openForm();
    await name.fill('');
    await press('Save');
    await expect.poll(() => save.mock.calls[0]?.[0]).toMatchObject({ name: '' });
  });
});

test('the same input has the same idempotency key, and anything else another one', async () => {
  const save = vi.fn<Save>(() => Promise.reject(new ApiError(0, 'No connection', 'NETWORK')));
  const { name, press, message } = await openForm({ save });
  await press('Save');
  await expect.element(message).toHaveTextContent('No connection');
  await press('Save');
  await name.fill('South');
  await press('Save');
  await expect.poll(() => save.mock.calls.length).toBe(3);
  const [first, second, third] = save.mock.calls.map(([, key]) => key);
  expect(first).toBe(second);
  expect(third).not.toBe(first);
});

describe('a conflict', () => {
  const current: Item = { version: 2, name: 'Harbour Motors', category: 'Vans', price: '2' };

  test('a conflict keeps what both changed, takes over what only the colleague changed, and names both', async () => {
    const save = vi.fn<Save>().mockRejectedValueOnce(conflictWith(current)).mockResolvedValueOnce();
    const { name, category, price, press, changes } = await openForm({ save });
    await name.fill('Harbour Cars');
    await price.fill('2');
    await press('Save');
    await expect.element(category).toHaveValue('Vans');
    await expect.element(name).toHaveValue('Harbour Cars');
    expect(changes()).toEqual([
      { field: 'name', label: 'name', theirs: 'Harbour Motors', isDisputed: true },
      { field: 'category', label: 'category', theirs: 'Vans', isDisputed: false },
    ]);
    // The next save is based on the current record.
    await press('Save');
    await expect.poll(() => save.mock.lastCall?.[0]).toMatchObject({ name: 'Harbour Cars', version: 2 });
  });

  test('a conflict takes over a field that both changed when its person chooses so, and no other', async () => {
    const { name, price, press, changes } = await openForm({
      save: () => Promise.reject(conflictWith(current)),
    });
    await name.fill('Harbour Cars');
    await price.fill('3');
    await press('Take name');
    await expect.element(name).toHaveValue('Harbour');
    await name.fill('Harbour Cars');
    await press('Save');
    await expect.poll(changes).not.toBeNull();
    await press('Take name');
    await expect.element(name).toHaveValue('Harbour Motors');
    await expect.element(price).toHaveValue('3');
    expect(changes()).toMatchObject([
      { field: 'name', isDisputed: false },
      { field: 'category', isDisputed: false },
      { field: 'price', isDisputed: true },
    ]);
  });

  test('a conflict is compared with the record of the one before, and over once the form is saved', async () => {
    const saved = { ...current, version: 4, name: 'Harbour Cars' };
    const save = vi
      .fn<Save>()
      .mockRejectedValueOnce(conflictWith(current))
      .mockRejectedValueOnce(conflictWith({ ...current, version: 3, price: '3' }))
      .mockResolvedValueOnce(saved);
    const { name, price, press, changes } = await openForm({ save });
    await name.fill('Harbour Cars');
    await press('Save');
    await expect.element(price).toHaveValue('2');
    await press('Save');
    await expect.element(price).toHaveValue('3');
    expect(changes()).toEqual([{ field: 'price', label: 'price', theirs: '3', isDisputed: false }]);
    await press('Save');
    await expect.poll(changes).toBeNull();
  });

  test('a conflict keeps what is typed until its response', async () => {
    const response = Promise.withResolvers<void>();
    const { name, category, press, changes } = await openForm({ save: () => response.promise });
    await name.fill('Harbour Cars');
    await press('Save');
    await category.fill('Trucks');
    response.reject(conflictWith(current));
    await expect
      .poll(changes)
      .toMatchObject([{ field: 'name' }, { field: 'category', isDisputed: true }, {}]);
    await expect.element(category).toHaveValue('Trucks');
  });

  test('a conflict of something new is a refusal like others', async () => {
    const { press, name, message } = await openForm({
      record: undefined,
      save: () => Promise.reject(conflictWith(current)),
    });
    await name.fill('Harbour');
    await press('Save');
    await expect.element(message).toHaveTextContent('Changed');
  });
});
