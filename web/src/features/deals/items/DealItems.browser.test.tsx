import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { page, userEvent } from 'vitest/browser';
import type { DealRow } from '../deal-row.ts';
import DealItems from './DealItems.tsx';

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
/** As in the theme of the program. */
const theme = { components: { Select: { defaultProps: { selectFirstOptionOnChange: true } } } };
const onSave = vi.fn<(value: string | null) => void>();
const onClose = vi.fn<() => void>();
const row = { deal: null } as unknown as DealRow;
const offered = ['Wash', 'Wax'].map((name) => ({ _id: name, name, price: 20, active: true }));
const line = JSON.stringify([['Tint', 'Tint', 1, 499.5]]);

/** Types a text into the focused field before the page runs any timer, as a fast person on a busy machine does. */
function typeAtOnce(text: string): void {
  for (const letter of text) document.execCommand('insertText', false, letter);
}

test('Enter adds the item of a text that was typed faster than the list of matches opened', async () => {
  await render(
    <MantineProvider theme={theme}>
      <RouterContextProvider router={router}>
        <DealItems
          row={row}
          customer="Ida"
          value={line}
          offered={offered}
          onSave={onSave}
          onClose={onClose}
        />
      </RouterContextProvider>
    </MantineProvider>,
  );
  await expect.element(page.getByRole('combobox', { name: 'Add an item' })).toHaveFocus();
  typeAtOnce('was');
  await expect.element(page.getByRole('option', { name: /^Wash/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('row', { name: /Wash/ })).toBeVisible();
});
