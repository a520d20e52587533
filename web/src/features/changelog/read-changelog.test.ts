import { expect, test } from 'vitest';
import changelog from '../../../../CHANGELOG.md?raw';
import { readChangelog } from './read-changelog.ts';

test('releases, their sections and entries come as they stand in the file', () => {
  const file =
    '# Changelog\n\nWords.\n\n## Unreleased\n\n## 1.1.0 — 2026-12-24\n\n### Everybody\n\n- **New.** Press `?` in *Data Entry*.\n- Plain.\n\n### Programs\n\n- Last.\n\n## 1.0.0 — 2026-11-23\n\n### Everybody\n- First.\n';
  const first = [
    { kind: 'strong', text: 'New.' },
    { kind: 'plain', text: ' Press ' },
    { kind: 'code', text: '?' },
    { kind: 'plain', text: ' in ' },
    { kind: 'em', text: 'Data Entry' },
    { kind: 'plain', text: '.' },
  ];
  const plain = (text: string) => [{ kind: 'plain', text }];
  expect(readChangelog(file)).toEqual([
    {
      name: '1.1.0',
      day: '2026-12-24',
      sections: [
        { name: 'Everybody', entries: [first, plain('Plain.')] },
        { name: 'Programs', entries: [plain('Last.')] },
      ],
    },
    { name: '1.0.0', day: '2026-11-23', sections: [{ name: 'Everybody', entries: [plain('First.')] }] },
  ]);
});

test('nothing of our own file is lost: each line below a release is a section or a short entry', () => {
  const entries = readChangelog(changelog).flatMap(({ sections }) => sections.flatMap((one) => one.entries));
  const lines = changelog.split('\n').filter((line) => line.startsWith('- '));
  expect(entries).toHaveLength(lines.length);
  expect(entries.flat().filter(({ kind, text }) => kind !== 'code' && /[*`]/.test(text))).toEqual([]);
  expect(lines.filter((line) => line.length > 200)).toEqual([]);
  const below = changelog.slice(changelog.indexOf('\n## ')).split('\n');
  expect(below.filter((line) => line !== '' && !/^(##|###|-) /.test(line))).toEqual([]);
});
