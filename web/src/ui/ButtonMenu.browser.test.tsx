import { MantineProvider } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { userEvent } from 'vitest/browser';
import { ButtonMenu, MenuAction } from './ButtonMenu.tsx';
import { useOpener } from './use-opener.ts';

const ran = vi.fn<(what: string) => void>();

/** A field that shows a context menu by the key m, and a button with a menu. */
function Page(): ReactElement {
  const [isOpen, setOpen] = useState(false);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { button, part } = useOpener('menu');
  const entries = (
    <>
      <MenuAction keys="Ctrl+C" onRun={() => ran(`copy in ${document.activeElement?.id}`)}>
        Copy
      </MenuAction>
      <MenuAction ability="This row is owned by Ada" onRun={() => ran('clear')}>
        Clear
      </MenuAction>
      <MenuAction onRun={() => ran('delete')}>Delete</MenuAction>
    </>
  );
  return (
    <MantineProvider>
      <input id="field" onKeyDown={({ key }) => key === 'm' && setOpen(true)} />
      <button type="button" {...button} id="button">
        More
      </button>
      <span ref={setAnchor} style={{ position: 'fixed', right: 4, bottom: 4 }} />
      {anchor && isOpen && (
        <ButtonMenu
          part={{ id: 'context', target: anchor, opened: true, onChange: setOpen }}
          label="One row"
          position="bottom-start"
        >
          {entries}
        </ButtonMenu>
      )}
      {part && <ButtonMenu part={part}>{entries}</ButtonMenu>}
    </MantineProvider>
  );
}

/** Dispatches a key to the focused element, without waiting: faster than any hand. */
function pressAtOnce(...keys: string[]): void {
  for (const key of keys)
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
}

const focused = () => document.activeElement?.textContent ?? '';

describe.each(['field', 'button'])('a menu opened from a %s', (id) => {
  async function open() {
    ran.mockClear();
    const screen = await render(<Page />);
    const from = document.getElementById(id)!;
    from.focus();
    await (id === 'field' ? userEvent.keyboard('m') : userEvent.keyboard('{Enter}'));
    await expect.element(screen.getByRole('menu')).toBeVisible();
    return { screen, from };
  }

  test('an opened menu has the focus in its first entry, and arrows, Home, End and letters move it', async () => {
    await open();
    await expect.poll(focused).toMatch(/^Copy/);
    pressAtOnce('ArrowDown');
    expect(focused()).toMatch(/^Clear/);
    pressAtOnce('End');
    expect(focused()).toBe('Delete');
    pressAtOnce('ArrowDown');
    expect(focused()).toMatch(/^Copy/);
    pressAtOnce('ArrowUp', 'Home', 'd');
    expect(focused()).toBe('Delete');
  });

  test('a menu entry runs with the focus back where it was before the menu opened', async () => {
    const { screen, from } = await open();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => ran.mock.calls).toEqual([[`copy in ${id}`]]);
    await expect.poll(() => screen.getByRole('menu').query()).toBeNull();
    expect(document.activeElement).toBe(from);
  });

  test.each(['Escape', 'Tab'])('%s closes a menu and returns the focus', async (key) => {
    const { screen, from } = await open();
    await userEvent.keyboard(`{${key}}`);
    await expect.poll(() => screen.getByRole('menu').query()).toBeNull();
    expect(document.activeElement).toBe(from);
  });

  test('an opened menu shows the reason of a refusal, and does not run it', async () => {
    const { screen } = await open();
    const refused = screen.getByRole('menuitem', { name: 'Clear' });
    await expect.element(refused).toHaveAccessibleDescription('This row is owned by Ada');
    await expect.element(refused).toHaveAttribute('aria-disabled', 'true');
    await expect.element(screen.getByText('This row is owned by Ada')).toBeVisible();
    await userEvent.keyboard('{ArrowDown}{Enter}');
    await expect.element(refused).toHaveFocus();
    expect(ran).not.toHaveBeenCalled();
  });

  test('an opened menu stays inside the window', async () => {
    const { screen } = await open();
    const rect = () => screen.getByRole('menu').element().getBoundingClientRect();
    await expect.poll(() => rect().right).toBeLessThanOrEqual(window.innerWidth);
    await expect.poll(() => rect().bottom).toBeLessThanOrEqual(window.innerHeight);
    await expect.poll(() => rect().left).toBeGreaterThanOrEqual(0);
  });
});

test('keys pressed with the one that opens it reach the menu, not the page', async () => {
  ran.mockClear();
  await render(<Page />);
  const onKey = vi.fn<(event: KeyboardEvent) => void>();
  window.addEventListener('keydown', onKey);
  document.getElementById('field')!.focus();
  pressAtOnce('m');
  // The commit follows the event; nothing else may pass in between.
  await Promise.resolve();
  expect(focused()).toMatch(/^Copy/);
  pressAtOnce('ArrowDown', 'ArrowDown');
  expect(focused()).toBe('Delete');
  window.removeEventListener('keydown', onKey);
  expect(onKey.mock.calls.map(([{ key }]) => key)).toEqual(['m']);
});
