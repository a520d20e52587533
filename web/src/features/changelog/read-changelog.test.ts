import { expect, test } from 'vitest';
import changelog from '../../../../CHANGELOG.md?raw';
import { readChangelog, REPAIRS } from './read-changelog.ts';

test('readChangelog returns releases, sections and entries in the order of the file', () => {
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

test('each line of CHANGELOG.md below a release is a section or a short entry, and none is lost', () => {
  const entries = readChangelog(changelog).flatMap(({ sections }) => sections.flatMap((one) => one.entries));
  const lines = changelog.split('\n').filter((line) => line.startsWith('- '));
  expect(entries).toHaveLength(lines.length);
  expect(entries.flat().filter(({ kind, text }) => kind !== 'code' && /[*`]/.test(text))).toEqual([]);
  expect(lines.filter((line) => line.length > 200)).toEqual([]);
  const below = changelog.slice(changelog.indexOf('\n## ')).split('\n');
  // Breaking migrations are named below the heading of their release, for operators.
  const other = /^(##|###|-|Instances of earlier releases stop when) /;
  expect(below.filter((line) => line !== '' && !other.test(line))).toEqual([]);
});

test('a release after 1.0.0 has at most ten headlines, and its repairs come last', () => {
  for (const { name, sections } of readChangelog(changelog).filter((one) => one.name !== '1.0.0')) {
    const names = sections.map((section) => section.name);
    expect([-1, names.length - 1], name).toContain(names.indexOf(REPAIRS));
    const headlines = sections.filter((section) => section.name !== REPAIRS);
    expect(headlines.flatMap((section) => section.entries).length, name).toBeLessThanOrEqual(10);
  }
});
