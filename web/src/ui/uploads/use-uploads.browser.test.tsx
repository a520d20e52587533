import { expect, test } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { useUploads } from './use-uploads.ts';

test('files added before the list is rendered again take none off it', async () => {
  const { result } = await renderHook(() => useUploads({ limits: { count: 5 } }));
  const { add } = result.current;
  for (const name of ['a', 'b'])
    add([{ name, size: 1, run: () => Promise.resolve({ _id: name, name, size: 1 }) }]);
  await expect
    .poll(() => result.current.files.map(({ name, state }) => `${name} ${state}`))
    .toEqual(['a added', 'b added']);
});
