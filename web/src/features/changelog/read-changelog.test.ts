import { expect, test } from 'vitest';
import changelog from '../../../../CHANGELOG.md?raw';
import { readChangelog } from './read-changelog.ts';

test('releases and their entries come as they stand in the file', () => {
  const file =
    '# Changelog\n\nWords.\n\n## Unreleased\n\n- **New.** Press `?` now.\n- Plain.\n\n## 1.0\n- First.\n';
  expect(readChangelog(file)).toEqual([
    {
      name: 'Unreleased',
      entries: [
        [
          { kind: 'strong', text: 'New.' },
          { kind: 'plain', text: ' Press ' },
          { kind: 'code', text: '?' },
          { kind: 'plain', text: ' now.' },
        ],
        [{ kind: 'plain', text: 'Plain.' }],
      ],
    },
    { name: '1.0', entries: [[{ kind: 'plain', text: 'First.' }]] },
  ]);
});

test('nothing of our own file is lost: each line below a release is an entry', () => {
  const releases = readChangelog(changelog);
  const lines = changelog.split('\n').filter((line) => line.startsWith('- '));
  expect(releases.flatMap(({ entries }) => entries)).toHaveLength(lines.length);
  const below = changelog.slice(changelog.indexOf('\n## ')).split('\n');
  expect(below.filter((line) => line !== '' && !/^(## |- )/.test(line))).toEqual([]);
});
