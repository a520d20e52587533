import { MantineProvider } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import { Dialog } from './Dialog.tsx';

function Dialogs(): ReactElement {
  const [open, setOpen] = useState(['Outer', 'Inner']);
  const close = (title: string) => () => setOpen((titles) => titles.filter((one) => one !== title));
  return (
    <>
      {open.includes('Outer') && (
        <Dialog title="Outer" size="md" onClose={close('Outer')}>
          {open.includes('Inner') && (
            <Dialog title="Inner" size="sm" onClose={close('Inner')}>
              Text
            </Dialog>
          )}
        </Dialog>
      )}
    </>
  );
}

test('Escape closes the inner of two dialogs, and then the outer one', async () => {
  await render(
    <MantineProvider>
      <Dialogs />
    </MantineProvider>,
  );
  const dialog = (name: string) => page.getByRole('dialog', { name });
  await expect.element(dialog('Inner')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Inner')).not.toBeInTheDocument();
  await expect.element(dialog('Outer')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Outer')).not.toBeInTheDocument();
});
