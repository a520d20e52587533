import type { ReactElement } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { userEvent } from 'vitest/browser';
import { ApiError } from '../platform/api-error.ts';
import { errorWithin, useForm, type FieldErrors } from './use-form.ts';

type Contact = { email: string };
type Values = { name: string; size: string; isActive: boolean; contacts: Contact[] };
type Props = {
  submit: (values: Values) => Promise<Values | void>;
  validate?: (values: Values) => FieldErrors;
  failed?: string;
  onInvalid?: (errors: FieldErrors) => void;
};
const initial: Values = { name: 'Harbour', size: 'M', isActive: true, contacts: [{ email: 'a@b' }] };

function Form(props: Props): ReactElement {
  const form = useForm<Values>({ initial, ...props });
  const { error: nameError, ...name } = form.text('name');
  const { error: activeError, ...active } = form.check('isActive');
  const { error: sizeError, ...size } = form.choice('size');
  const contacts = errorWithin(form.errors, 'contacts');
  return (
    <form aria-label="Form" onSubmit={form.onSubmit}>
      <input aria-label="Name" aria-invalid={nameError !== undefined} {...name} />
      <p>{nameError}</p>
      <input
        aria-label="Email"
        aria-invalid={contacts !== undefined}
        value={form.values.contacts[0]?.email}
        onChange={(event) => form.set('contacts', [{ email: event.currentTarget.value }])}
      />
      <p>{contacts}</p>
      <input aria-label="Active" type="checkbox" {...active} />
      <button type="button" onClick={() => size.onChange(null)}>
        No size
      </button>
      <output>{JSON.stringify({ ...form.values, size: size.value, sizeError, activeError })}</output>
      <p role="alert">{form.message}</p>
      <div style={{ height: 'calc(100vh + 100px)' }} />
      <button type="submit">{form.busy ? 'Saving' : 'Save'}</button>
      <p>{form.changed ? 'Changed' : 'As stored'}</p>
    </form>
  );
}

const screenOf = async (props: Partial<Props> = {}) => {
  const submit = vi.fn<Props['submit']>(() => Promise.resolve());
  const screen = await render(<Form submit={submit} {...props} />);
  return {
    submit,
    name: screen.getByLabelText('Name'),
    email: screen.getByLabelText('Email'),
    active: screen.getByLabelText('Active'),
    save: screen.getByRole('button', { name: /Sav/ }),
    message: screen.getByRole('alert'),
    values: () => JSON.parse(screen.getByRole('status').element().textContent) as object,
    screen,
  };
};
const refusal = (errors: Record<string, string>) =>
  new ApiError(400, 'Invalid request', 'INVALID_REQUEST', { errors });

describe('the errors of a form', () => {
  test('the errors of a form that belong to no field are scrolled into view', async () => {
    const { save, message } = await screenOf({
      submit: () => Promise.reject(new Error('no')),
      failed: 'Not saved',
    });
    await save.click();
    await expect.element(message).toHaveTextContent('Not saved');
    await expect.element(message).toBeInViewport();
  });

  test('the errors of a form are shown at their fields, and the first wrong field gets the focus', async () => {
    const { email, name, save, message, screen } = await screenOf({
      submit: () => Promise.reject(refusal({ 'contacts.0.email': 'Must be an email address' })),
    });
    await save.click();
    await expect.element(screen.getByText('Must be an email address')).toBeVisible();
    await expect.element(email).toHaveFocus();
    await expect.element(name).toHaveAttribute('aria-invalid', 'false');
    await expect.element(message).toBeEmptyDOMElement();
  });

  test('the errors of a form of fields that it does not have are its message', async () => {
    const errors = { month: 'You may only use the current month' };
    const { save, message } = await screenOf({ submit: () => Promise.reject(refusal(errors)) });
    await save.click();
    await expect.element(message).toHaveTextContent('You may only use the current month');
    await expect.element(message).toBeInViewport();
  });

  test('the errors of a form disappear with those of nested fields when their field is changed; others stay', async () => {
    const errors = { name: 'Already taken', 'contacts.0.email': 'Must be an email address' };
    const { email, name, save, screen } = await screenOf({ submit: () => Promise.reject(refusal(errors)) });
    await save.click();
    await expect.element(email).toHaveAttribute('aria-invalid', 'true');
    await email.fill('ann@example.com');
    await expect.element(email).toHaveAttribute('aria-invalid', 'false');
    await expect.element(screen.getByText('Already taken')).toBeVisible();
    await name.fill('Harbour 2');
    await expect.element(name).toHaveAttribute('aria-invalid', 'false');
  });

  test('the errors of a form of the form itself are shown before anything is sent', async () => {
    const onInvalid = vi.fn<(errors: FieldErrors) => void>();
    const { submit, name, save } = await screenOf({
      validate: (values) => (values.name === '' ? { name: 'Please enter a name' } : {}),
      onInvalid,
    });
    await name.fill('');
    await save.click();
    await expect.element(name).toHaveFocus();
    expect(onInvalid).toHaveBeenCalledWith({ name: 'Please enter a name' });
    expect(submit).not.toHaveBeenCalled();
    await name.fill('North');
    await save.click();
    expect(submit).toHaveBeenCalledWith({ ...initial, name: 'North' });
    expect(onInvalid).toHaveBeenCalledTimes(1);
  });

  test('the errors of a form without a field are one message, in the words of the server or of the form, until the next try', async () => {
    const submit = vi.fn<Props['submit']>();
    submit.mockRejectedValueOnce(new ApiError(409, 'Somebody was faster', 'CONFLICT', { message: 'x' }));
    submit.mockRejectedValueOnce(new TypeError('a fault'));
    submit.mockResolvedValueOnce();
    const { save, message } = await screenOf({ submit, failed: 'Could not save' });
    await save.click();
    await expect.element(message).toHaveTextContent('Somebody was faster');
    await save.click();
    await expect.element(message).toHaveTextContent('Could not save');
    await save.click();
    await expect.element(message).toBeEmptyDOMElement();
  });
});

describe('a form that is being saved', () => {
  test('a form that is being saved sends nothing twice, and can be sent again after the response', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const submit = vi.fn<Props['submit']>(() => promise);
    const { name, save } = await screenOf({ submit });
    await name.click();
    await userEvent.keyboard('{Enter}{Enter}{Enter}');
    await expect.element(save).toHaveTextContent('Saving');
    expect(submit).toHaveBeenCalledTimes(1);
    resolve();
    await expect.element(save).toHaveTextContent('Save');
    await save.click();
    expect(submit).toHaveBeenCalledTimes(2);
  });

  test('a form that is being saved takes the stored values, except in fields that were changed meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<Values>();
    const { name, active, save, values, screen } = await screenOf({ submit: () => promise });
    await expect.element(screen.getByText('As stored')).toBeVisible();
    await name.fill(' Harbour ');
    await expect.element(screen.getByText('Changed')).toBeVisible();
    await save.click();
    await active.click();
    resolve({ ...initial, name: 'Harbour Cars', isActive: true });
    await expect.poll(values).toMatchObject({ name: 'Harbour Cars', isActive: false });
    await expect.element(save).toHaveTextContent('Save');
  });

  test('a form that is being saved is not submitted by a form inside it that is a dialog of its own', async () => {
    const outer = vi.fn<() => void>();
    const submit = vi.fn<Props['submit']>(() => Promise.resolve());
    const screen = await render(
      // React hands events on along the tree of components, which a portal does not leave.
      <div onSubmit={outer}>
        <Form submit={submit} />
      </div>,
    );
    await screen.getByRole('button', { name: 'Save' }).click();
    expect(submit).toHaveBeenCalledTimes(1);
    expect(outer).not.toHaveBeenCalled();
  });
});

test('a choice without a value is the empty text, and a check box its state', async () => {
  const { active, values, save, submit, screen } = await screenOf();
  expect(values()).toMatchObject({ size: 'M' });
  await screen.getByRole('button', { name: 'No size' }).click();
  await active.click();
  await expect.poll(values).toMatchObject({ size: null, isActive: false });
  await save.click();
  expect(submit).toHaveBeenCalledWith({ ...initial, size: '', isActive: false });
});
