import { MantineProvider } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { CommentForm, type CommentText } from './CommentForm.tsx';

const person = (name: string) => ({ _id: name.toLowerCase(), name, email: `${name[0]}@example.com` });
const people = [person('Ann Example'), person('Bea Bell'), person('Bob Burr')];

const onSubmit = vi.fn<(comment: { body: string; mentions: string[] }) => Promise<void>>();
const onCancel = vi.fn<() => void>();
const onOuterKey = vi.fn<(key: string) => void>();

function Form(): ReactElement {
  const [text, setText] = useState<CommentText>({ body: '', chosen: [] });
  return (
    <MantineProvider>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- what reaches the panel around the form */}
      <div style={{ paddingTop: 300 }} onKeyDown={({ key }) => onOuterKey(key)}>
        <CommentForm
          label="New comment"
          submitLabel="Comment"
          people={people}
          text={text}
          onType={setText}
          onSubmit={onSubmit}
          onCancel={onCancel}
        />
      </div>
    </MantineProvider>
  );
}

const field = () => page.getByLabelText('New comment');
const marked = (name: string) => page.getByRole('option', { name: new RegExp(name), selected: true });

beforeEach(async () => {
  vi.resetAllMocks();
  onSubmit.mockResolvedValue();
  await render(<Form />);
});

describe('the list of people after @', () => {
  test('the list of people after @ opens with the matching people, and arrow keys move around in it', async () => {
    await userEvent.type(field(), 'Hi @b');
    await expect.element(marked('Bea Bell')).toBeVisible();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(marked('Bob Burr')).toBeVisible();
    await expect.element(field()).toHaveAttribute('aria-activedescendant', marked('Bob Burr').element().id);
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(marked('Bea Bell')).toBeVisible();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(marked('Bob Burr')).toBeVisible();
  });

  test.each(['{Enter}', '{Tab}'])('%s inserts the marked name and keeps the focus', async (key) => {
    await userEvent.type(field(), '@bo');
    await userEvent.keyboard(key);
    await expect.element(field()).toHaveValue('@Bob Burr ');
    await expect.element(field()).toHaveFocus();
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
    await userEvent.keyboard('look{Control>}{Enter}{/Control}');
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ body: '@Bob Burr look', mentions: ['bob burr'] });
  });

  test('a click inserts a name in the middle of a text, and typing continues after it', async () => {
    await userEvent.type(field(), 'Ask  now{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}@an');
    await page.getByRole('option', { name: /Ann Example/ }).click();
    await expect.element(field()).toHaveValue('Ask @Ann Example now');
    await userEvent.keyboard('?');
    await expect.element(field()).toHaveValue('Ask @Ann Example ?now');
  });

  test('Escape closes the list only; the next one cancels', async () => {
    await userEvent.type(field(), '@b');
    await expect.element(marked('B')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
    expect(onCancel).not.toHaveBeenCalled();
    await userEvent.keyboard('o');
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    expect(onCancel).toHaveBeenCalledOnce();
    expect(onOuterKey).not.toHaveBeenCalledWith('Escape');
  });

  test('keys of an input method choose nobody and send nothing', async () => {
    await userEvent.type(field(), '@bo');
    await expect.element(marked('B')).toBeVisible();
    for (const init of [{ key: 'Enter' }, { key: 'Enter', ctrlKey: true }, { key: 'Tab' }])
      field()
        .element()
        .dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, isComposing: true }));
    await expect.element(field()).toHaveValue('@bo');
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

test('Enter starts a line; an empty text and a long one are not sent', async () => {
  await userEvent.type(field(), ' {Enter}');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await field().fill('x'.repeat(2001));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.element(page.getByText(/2,?000/).first()).toBeVisible();
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a text that is being sent cannot be changed, since it is removed afterwards', async () => {
  const sent = Promise.withResolvers<void>();
  onSubmit.mockReturnValue(sent.promise);
  await userEvent.type(field(), 'Rang{Control>}{Enter}{/Control}');
  await expect.element(field()).toHaveAttribute('readonly');
  sent.resolve();
  await expect.element(field()).not.toHaveAttribute('readonly');
});

test('a refusal is shown and the text stays', async () => {
  onSubmit.mockRejectedValue(new Error('unexpected'));
  await userEvent.type(field(), 'Rang{Control>}{Enter}{/Control}');
  await expect.element(page.getByText('The comment could not be saved')).toBeVisible();
  await expect.element(field()).toHaveValue('Rang');
});
