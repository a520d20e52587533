import { Button, MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { useState, type ReactElement } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { userEvent } from 'vitest/browser';
import { ButtonPopover } from './ButtonPopover.tsx';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { ConflictNotice } from './ConflictNotice.tsx';
import { FormModal } from './FormModal.tsx';
import { keepFocus } from './keep-focus.ts';
import { SideDrawer } from './SideDrawer.tsx';
import { focusScreen } from './use-focus-back.ts';
import { useOpener } from './use-opener.ts';

beforeEach(() => keepFocus());

type Kind = 'confirmation' | 'form' | 'drawer';
// The dialog of a form blocks navigation while it is unsaved.
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
const form = { message: null, busy: false, onSubmit: () => {} };

function Dialog({ kind, onClose }: { kind: Kind; onClose: () => void }): ReactElement {
  if (kind === 'drawer') {
    return (
      <SideDrawer title="Dialog" width={200} onClose={onClose}>
        Text
        <button type="button">Button</button>
      </SideDrawer>
    );
  }
  return kind === 'form' ? (
    <FormModal title="Dialog" form={form} submitLabel="Save" onClose={onClose}>
      Text
    </FormModal>
  ) : (
    <ConfirmDialog title="Dialog" confirmLabel="Delete" onConfirm={async () => {}} onClose={onClose}>
      Text
    </ConfirmDialog>
  );
}

function Screen({ kind }: { kind: Kind }): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <RouterContextProvider router={router}>
      <MantineProvider>
        <main tabIndex={-1} aria-label="Screen">
          <button type="button" onClick={() => setIsOpen(true)}>
            Open
          </button>
          <button type="button">Other</button>
        </main>
        {isOpen && <Dialog kind={kind} onClose={() => setIsOpen(false)} />}
      </MantineProvider>
    </RouterContextProvider>
  );
}

/** Opens the dialog, runs `meanwhile` when the focus is in it, and closes it. */
async function closeAfter(kind: Kind, meanwhile: (opener: HTMLElement) => void) {
  const screen = await render(<Screen kind={kind} />);
  const opener = screen.getByRole('button', { name: 'Open' });
  await opener.click();
  const dialog = screen.getByRole('dialog');
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true);
  meanwhile(opener.element() as HTMLElement);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => dialog.query()).toBeNull();
  return { opener, screen };
}
const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();

describe.each(['confirmation', 'form', 'drawer'] as const)('the focus when a %s closes', (kind) => {
  test('a closing dialog returns the focus to its button', async () => {
    const { opener } = await closeAfter(kind, () => {});
    await expect.element(opener).toHaveFocus();
  });

  test('a closing dialog returns the focus to its button also if the screen behind it was focused meanwhile', async () => {
    const { opener } = await closeAfter(kind, () => focus('main'));
    await expect.element(opener).toHaveFocus();
  });

  test('a dialog keeps the focus while the navigation to its screen ends', async () => {
    const { opener } = await closeAfter(kind, () => {
      const inDialog = document.activeElement;
      focusScreen();
      expect(document.activeElement).toBe(inDialog);
    });
    await expect.element(opener).toHaveFocus();
  });

  test('a closing dialog gives the focus to the screen if its button is hidden', async () => {
    const { screen } = await closeAfter(kind, (opener) => {
      opener.hidden = true;
    });
    await expect.element(screen.getByRole('main')).toHaveFocus();
  });

  test('a closing dialog does not take the focus from another control that has received it', async () => {
    const { screen } = await closeAfter(kind, () => focus('main button:last-of-type'));
    await expect.element(screen.getByRole('button', { name: 'Other' })).toHaveFocus();
  });
});

function Popover(): ReactElement {
  const { button, part } = useOpener('dialog');
  return (
    <MantineProvider>
      <button type="button" {...button}>
        Open
      </button>
      {part && (
        <ButtonPopover part={part} transitionProps={{ duration: 0 }}>
          <button type="button">First</button>
          <button type="button">Second</button>
        </ButtonPopover>
      )}
    </MantineProvider>
  );
}

const openers = {
  confirmation: <Screen kind="confirmation" />,
  form: <Screen kind="form" />,
  drawer: <Screen kind="drawer" />,
  popover: <Popover />,
};
test.each(Object.keys(openers) as (keyof typeof openers)[])(
  'an opening %s does not take back the focus that a key has moved in it',
  async (kind) => {
    const screen = await render(openers[kind]);
    const moved = new Promise<Element>((resolve) => {
      const move = ({ target }: FocusEvent): void => {
        const buttons = (target as Element).closest('[role="dialog"]')?.querySelectorAll('button');
        const other = buttons && [...buttons].find((button) => button !== target);
        if (!other) return;
        document.removeEventListener('focusin', move);
        other.focus();
        resolve(other);
      };
      document.addEventListener('focusin', move);
    });
    await screen.getByRole('button', { name: 'Open' }).click();
    const other = await moved;
    // The timers that were set when it was opened have run by then.
    for (let frames = 0; frames < 3; frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(document.activeElement).toBe(other);
  },
);

function Places(): ReactElement {
  const [left, setLeft] = useState(['one', 'two']);
  const [isShown, setShown] = useState(true);
  const [isBusy, setBusy] = useState(false);
  return (
    <MantineProvider>
      <button type="button">First of the page</button>
      <main tabIndex={-1} aria-label="Screen">
        <button type="button">First of the screen</button>
        <section>
          <Button loading={isBusy} onClick={() => setBusy(true)}>
            Send
          </Button>
          <button type="button" onFocus={() => setBusy(false)}>
            Answered
          </button>
          <ul>
            {left.map((name) => (
              <li key={name}>
                <button type="button" onClick={() => setLeft(left.filter((other) => other !== name))}>
                  {`End ${name}`}
                </button>
              </li>
            ))}
          </ul>
        </section>
      </main>
      {isShown && (
        <aside>
          <button type="button" onClick={() => setShown(false)}>
            Close
          </button>
        </aside>
      )}
    </MantineProvider>
  );
}

describe('the focus of a pressed button', () => {
  const press = async (name: string) => {
    const screen = await render(<Places />);
    const button = screen.getByRole('button', { name });
    (button.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    return screen;
  };

  test('the focus of a pressed button goes to the next control of the list whose entry was removed', async () => {
    const screen = await press('End one');
    await expect.element(screen.getByRole('button', { name: 'End two' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(screen.getByRole('button', { name: 'Send' })).toHaveFocus();
  });

  test('the focus of a pressed button goes to the screen when its panel is closed', async () => {
    const screen = await press('Close');
    await expect.element(screen.getByRole('main')).toHaveFocus();
  });

  test('the focus of a pressed button stays where it was moved while the action of the button runs', async () => {
    const screen = await press('Send');
    const other = screen.getByRole('button', { name: 'Answered' });
    await expect.poll(() => document.activeElement).toBe(document.body);
    (other.element() as HTMLElement).focus();
    await expect
      .poll(() => (screen.getByRole('button', { name: 'Send' }).element() as HTMLButtonElement).disabled)
      .toBe(false);
    await expect.element(other).toHaveFocus();
  });
});

test('after a refused action, the focus is on its button in the confirmation', async () => {
  const refused = Promise.withResolvers<void>();
  const screen = await render(
    <MantineProvider>
      <ConfirmDialog
        title="Dialog"
        confirmLabel="Delete"
        destructive
        onConfirm={() => refused.promise}
        onClose={() => {}}
      >
        Text
      </ConfirmDialog>
    </MantineProvider>,
  );
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.poll(() => document.activeElement).toBe(document.body);
  refused.reject(new Error('It is in use'));
  await expect.element(screen.getByRole('button', { name: 'Delete' })).toHaveFocus();
});

const disputed = { theirs: 'Theirs', mine: 'Mine', isDisputed: true };

function Conflict(): ReactElement {
  const [taken, setTaken] = useState<readonly string[]>([]);
  const changes = ['name', 'city'].map((field) => ({
    ...disputed,
    field,
    label: field,
    isDisputed: !taken.includes(field),
  }));
  return (
    <MantineProvider>
      <ConflictNotice changes={changes} onTake={(field) => setTaken([...taken, field])} />
    </MantineProvider>
  );
}

test('after a value of somebody else is taken over, the focus is on the next one, then on the notice', async () => {
  const screen = await render(<Conflict />);
  screen.getByRole('button', { name: 'Take theirs: name' }).element().focus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('button', { name: 'Take theirs: city' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('alert')).toHaveFocus();
});

test('a held Enter presses a button once, also after a dialog was closed', async () => {
  const { opener: button } = await closeAfter('form', () => {});
  const opener = button.element();
  const isPressed = (repeat: boolean): boolean =>
    opener.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true }),
    );
  expect(isPressed(false)).toBe(true);
  expect(isPressed(true)).toBe(false);
});
