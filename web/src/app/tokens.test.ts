import { describe, expect, test } from 'vitest';
import { contrastOf } from '../ui/status-colors.ts';

/** The web workspace has no Node types, and vitest empties imported style sheets. */
type NodeFiles = { readFileSync(path: URL, encoding: 'utf8'): string };
declare const process: { getBuiltinModule(name: 'fs'): NodeFiles };
const css = process.getBuiltinModule('fs').readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

const blocks = {
  light: css.indexOf(':root {'),
  dark: css.indexOf(":root[data-mantine-color-scheme='dark']"),
};

/** The tokens of a theme; dark ones override light ones. */
function tokensOf(scheme: 'light' | 'dark'): Record<string, string> {
  const read = (from: number): [string, string][] =>
    [...css.slice(from, css.indexOf('}', from)).matchAll(/--([\w-]+): (.+);/g)].map(([, name, value]) => [
      name as string,
      value as string,
    ]);
  const all = Object.fromEntries([...read(blocks.light), ...(scheme === 'dark' ? read(blocks.dark) : [])]);
  const resolve = (value: string): string => {
    const name = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
    return name === undefined ? value : resolve(all[name] ?? '');
  };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, resolve(value)]));
}

const onPages = ['paper', 'surface', 'sunken', 'raised', 'hover'];
const textPairs: [string, string][] = [
  ...['ink', 'ink-muted', 'accent-ink', 'danger-ink'].flatMap((ink) =>
    onPages.map((ground): [string, string] => [ink, ground]),
  ),
  ['ink-faint', 'surface'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-hover'],
  ['accent-ink', 'accent-soft'],
  ['danger-ink', 'danger-soft'],
  ['warn-ink', 'warn-soft'],
  ['good-ink', 'good-soft'],
  ['grid-note-text', 'grid-note'],
  ['grid-muted', 'grid-header'],
  ...['grid-cell', 'grid-hover', 'grid-selected', 'grid-unsaved'].flatMap((ground): [string, string][] => [
    ['grid-text', ground],
    ['danger-ink', ground],
  ]),
];
const shapePairs: [string, string][] = ['paper', 'surface', 'raised'].flatMap(
  (ground): [string, string][] => [
    ['line-strong', ground],
    ['accent', ground],
  ],
);

describe.each(['light', 'dark'] as const)('%s', (scheme) => {
  const tokens = tokensOf(scheme);
  const ratio = ([a, b]: [string, string]): number => contrastOf(tokens[a] ?? '', tokens[b] ?? '');

  test.each(textPairs)('text %s on %s keeps 4.5:1', (...pair) => {
    expect(ratio(pair)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(shapePairs)('%s beside %s keeps 3:1', (...pair) => {
    expect(ratio(pair)).toBeGreaterThanOrEqual(3);
  });
});
