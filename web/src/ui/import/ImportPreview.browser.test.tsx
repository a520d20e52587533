import { MantineProvider } from '@mantine/core';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { ImportPreview } from './ImportPreview.tsx';

test('an editable cell of a preview is edited with a click, also an empty one, and others are texts', async () => {
  const edits: string[] = [];
  const fields = [
    { field: 'number', label: 'Deal number' },
    { field: 'name', label: 'Customer' },
  ] as const;
  const line = { errors: {}, leftOut: null, editable: ['number' as const] };
  await render(
    <MantineProvider>
      <ImportPreview
        fields={fields}
        lines={[
          { ...line, number: 2, cells: { number: 'D-1', name: 'Ann' } },
          { ...line, number: 3, cells: { number: '', name: 'Ben' } },
        ]}
        isEdited={() => false}
        onEdit={(number, field, text) => void edits.push(`${number} ${field} ${text}`)}
      />
    </MantineProvider>,
  );
  await page.getByRole('button', { name: 'D-1' }).click();
  await page.getByRole('button', { name: 'empty' }).click();
  expect(edits).toEqual(['2 number D-1', '3 number ']);
  await expect.element(page.getByText('Ann')).toBeVisible();
  expect(page.getByRole('button').elements()).toHaveLength(2);
});
