import { MantineProvider } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { Pager } from './Pager.tsx';

function List({ total, isStale = false }: { total: number; isStale?: boolean }): ReactElement {
  const [page, setPage] = useState(3);
  return (
    <MantineProvider>
      <output>page {page}</output>
      <Pager page={page} limit={100} total={total} isStale={isStale} onPage={setPage} />
    </MantineProvider>
  );
}

test.each([
  [201, 'page 3'],
  [200, 'page 2'],
  [0, 'page 1'],
])('of %i entries at most the last page is shown', async (total, shown) => {
  const screen = await render(<List total={300} />);
  await screen.rerender(<List total={total} />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(shown);
});

test('the page stays until the total of its own filter is loaded', async () => {
  const screen = await render(<List total={3} isStale />);
  await screen.rerender(<List total={300} />);
  await expect.element(screen.getByRole('status')).toHaveTextContent('page 3');
});
