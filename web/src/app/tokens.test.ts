import { describe, expect, test } from 'vitest';
import { contrastOf } from '../ui/status-colors.ts';

/** The web workspace has no Node types, and vitest empties imported style sheets. */
type NodeFiles = {
  readFileSync(path: URL, encoding: 'utf8'): string;
  readdirSync(path: URL, options: { recursive: true }): string[];
};
declare const process: { getBuiltinModule(name: 'fs'): NodeFiles };
const fs = process.getBuiltinModule('fs');
const src = new URL('../', import.meta.url);
const read = (path: string): string => fs.readFileSync(new URL(path, src), 'utf8');
const css = read('app/tokens.css');

const blocks = {
  light: css.indexOf(':root {'),
  dark: css.indexOf(":root[data-mantine-color-scheme='dark']"),
};

/** The tokens of a theme; dark ones override light ones. */
function tokensOf(scheme: 'light' | 'dark'): Record<string, string> {
  const readBlock = (from: number): [string, string][] =>
    [...css.slice(from, css.indexOf('}', from)).matchAll(/--([\w-]+): (.+);/g)].map(([, name, value]) => [
      name as string,
      value as string,
    ]);
  const all = Object.fromEntries([
    ...readBlock(blocks.light),
    ...(scheme === 'dark' ? readBlock(blocks.dark) : []),
  ]);
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

const SIZED =
  /^\s*(?:padding|margin|gap|row-gap|column-gap|font|font-size|border(?:-[a-z]+)*-radius|z-index)(?:-(?:block|inline|top|right|bottom|left)(?:-(?:start|end))?)?: (.+);/;

/** A number with a unit, or a plain one other than 0 outside of `calc()`. */
const hasLiteral = (value: string): boolean =>
  /\d(?:[a-z]|%)/.test(value) || /[1-9]/.test(value.replaceAll(/calc\(.*\)/g, ''));

/** Returns the lines whose padding, margin, gap, type size, radius or z-index is a number, or a token that does not exist. */
function literalSizes(source: string): string[] {
  const tokens = tokensOf('light');
  return source.split('\n').filter((line) => {
    const value = SIZED.exec(line)?.[1];
    if (value === undefined) return false;
    const unknown = [...value.matchAll(/var\(--((?:space|text|radius|z)[\w-]*)\)/g)].some(
      ([, name]) => !((name as string) in tokens),
    );
    return unknown || hasLiteral(value.replaceAll(/var\(--[\w-]+\)/g, 'token'));
  });
}

describe('sizes', () => {
  test('sizes are tokens in every style sheet, for padding, margin, gap, type, radius and z-index', () => {
    const files = fs.readdirSync(src, { recursive: true }).filter((file) => file.endsWith('.css'));
    expect(files.length).toBeGreaterThan(50);
    // Printed pages have their own margins.
    const broken = files.flatMap((file) =>
      literalSizes(read(file).replace(/^@page \{[^]*?^\}/m, '')).map((line) => `${file}: ${line.trim()}`),
    );
    expect(broken).toEqual([]);
  });

  test('sizes are names of the theme in every component, for the same properties of Mantine', () => {
    const literal = /\s(?:[mp][trblxyse]?|gap|spacing|fz|radius)=(?:\{-?|["'])\d/;
    const files = fs.readdirSync(src, { recursive: true }).filter((file) => file.endsWith('.tsx'));
    expect(literal.test('<Button mt={12}>')).toBe(true);
    expect(files.filter((file) => literal.test(read(file)))).toEqual([]);
  });

  test.each([
    'padding: 8px;',
    'margin: 0 auto 1em;',
    'margin-inline-start: -4px;',
    'gap: var(--space-1) 3px;',
    'gap: var(--space-9);',
    'font-size: 90%;',
    'font: 12px sans-serif;',
    'border-radius: 50%;',
    'z-index: 3;',
    'padding: calc(var(--space-1) + 1px);',
  ])('the check of sizes refuses %s', (line) => {
    expect(literalSizes(`  ${line}`)).toHaveLength(1);
  });

  test.each([
    'margin: 0 auto var(--space-1);',
    'margin: calc(-1 * var(--space-2));',
    'font: inherit;',
    'z-index: var(--z-head);',
    'width: 8px;',
  ])('the check of sizes allows %s', (line) => {
    expect(literalSizes(`  ${line}`)).toEqual([]);
  });
});

test('shared classes exist, and each is used', () => {
  const sheets = ['ui/shared.css', 'ui/shared-more.css'].map(read).join('');
  const defined = new Set([...sheets.matchAll(/\.(ui-[\w-]+)/g)].map(([, name]) => name));
  const files = fs.readdirSync(src, { recursive: true }).filter((file) => file.endsWith('.tsx'));
  const used = new Set(
    files
      .flatMap((file) => [...read(file).matchAll(/(?<=[\s'"`])ui-[\w-]+/g)])
      .map(([name]) => name)
      .filter((name) => name !== 'ui-monospace'),
  );
  expect([...defined].filter((name) => !used.has(name as string))).toEqual([]);
  expect([...used].filter((name) => !defined.has(name))).toEqual([]);
});
