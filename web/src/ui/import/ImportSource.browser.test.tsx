import { MantineProvider } from '@mantine/core';
import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { page } from 'vitest/browser';
import { texts } from '../../texts/import.ts';
import { ImportSource } from './ImportSource.tsx';

test('of two dropped files the later one is used, although the first one is parsed after it', async () => {
  const taken: (string | null)[] = [];
  await render(
    <MantineProvider>
      <ImportSource fileName={null} onTable={(_, name) => void taken.push(name)} />
    </MantineProvider>,
  );
  const zone = page.getByText(texts.dropHere).element();
  const drop = (file: File): void => {
    const event = new DragEvent('drop', { bubbles: true, cancelable: true });
    // A real list would have copies of the files.
    Object.defineProperty(event, 'dataTransfer', { value: { files: [file] } });
    zone.dispatchEvent(event);
  };
  const file = (name: string): File => new File(['Client,Dealer\nOne,Harbour'], name);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const large = file('large.csv');
  const content = large.arrayBuffer.bind(large);
  large.arrayBuffer = () => released.then(content);
  drop(large);
  drop(file('small.csv'));
  await expect.poll(() => taken).toEqual(['small.csv']);
  release();
  await large.arrayBuffer();
  drop(file('next.csv'));
  await expect.poll(() => taken).toEqual(['small.csv', 'next.csv']);
});
