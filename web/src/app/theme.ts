import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineColorScheme,
  type MantineColorSchemeManager,
  type MantineSize,
} from '@mantine/core';
import { readStored, storageKeys, writeStored } from '../platform/storage-keys.ts';

/** A colour with equal shades: tokens.css distinguishes light and dark. */
const one = (color: string): MantineColorsTuple => Array(10).fill(color) as unknown as MantineColorsTuple;

/** Ten shades of our cool grey, for Mantine components that name a shade. */
const grey: MantineColorsTuple = [
  '#f6f8f8',
  '#f0f3f3',
  '#e8eded',
  '#dde3e3',
  '#c3cccc',
  '#869393',
  '#667474',
  '#556363',
  '#2e3a3a',
  '#152020',
];

/** Mantine's `dark` scale, from text (0) to the deepest background (9). */
const dark: MantineColorsTuple = [
  '#e4eaea',
  '#c3cccd',
  '#9fabac',
  '#8b9798',
  '#3a4244',
  '#2b3133',
  '#1c2021',
  '#171a1b',
  '#131617',
  '#0e1011',
];

type Step = number | string;

/** Maps Mantine's five sizes to tokens. */
const sizes = (
  token: string,
  ...steps: readonly [Step, Step, Step, Step, Step]
): Record<MantineSize, string> => {
  const [xs, sm, md, lg, xl] = steps.map((step) => `var(--${token}-${step})`);
  return { xs, sm, md, lg, xl } as Record<MantineSize, string>;
};

const controlHeight = { '--input-height': 'var(--control)' };

/** A `header` element outside a section would be a second banner landmark. */
const plainHeader = { header: { role: 'none' } };

const closeButtonProps = { 'aria-label': 'Close' };

/**
 * The design: dense, hairlines instead of shadows, one accent colour. Sizes are those of tokens.css; type is 13 px in
 * working areas and 12 px for secondary text.
 */
export const theme = createTheme({
  fontFamily: "'Inter', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  white: '#ffffff',
  black: '#152020',
  colors: { accent: one('#0b6e6e'), danger: one('#b3261e'), gray: grey, dark },
  primaryColor: 'accent',
  defaultRadius: 'md',
  radius: sizes('radius', 'xs', 'sm', 'md', 'lg', 'full'),
  spacing: sizes('space', 1, 2, 3, 4, 5),
  fontSizes: sizes('text', 'xs', 'sm', 'md', 'lg', 'xl'),
  lineHeights: { xs: '1.35', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  fontWeights: { regular: '400', medium: '550', bold: '650' },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: 'var(--shadow-raised)',
    lg: 'var(--shadow-raised)',
    xl: 'var(--shadow-raised)',
  },
  headings: {
    fontFamily: "'Inter', system-ui, sans-serif",
    fontWeight: '650',
    sizes: {
      h1: { fontSize: 'var(--text-xl)', lineHeight: '1.3' },
      h2: { fontSize: 'var(--text-lg)', lineHeight: '1.35' },
      h3: { fontSize: 'var(--text-md)', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    ActionIcon: {
      defaultProps: { variant: 'subtle', color: 'gray', size: 28 },
    },
    Button: {
      vars: (_: unknown, props: { size?: string }) =>
        props.size === undefined
          ? { root: { '--button-height': 'var(--control)', '--button-padding-x': 'var(--space-3)' } }
          : { root: {} },
    },
    Checkbox: { defaultProps: { size: 'xs' } },
    InputWrapper: { vars: () => ({ label: { '--input-label-size': 'var(--text-sm)' } }) },
    Input: { vars: () => ({ wrapper: controlHeight }) },
    Drawer: { defaultProps: { attributes: plainHeader, closeButtonProps } },
    Modal: {
      defaultProps: {
        attributes: plainHeader,
        closeButtonProps,
        radius: 'lg',
        overlayProps: { color: 'var(--overlay)', backgroundOpacity: 1 },
      },
    },
    MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } },
    // Enter after typing chooses the first match. The current option stays if chosen again; `clearable` clears it.
    Select: { defaultProps: { allowDeselect: false, selectFirstOptionOnChange: true } },
    Switch: { defaultProps: { size: 'sm' } },
  },
});

/** Returns the variables that Mantine expects of a colour. */
const roles = (name: string, token: string): Record<string, string> => ({
  [`--mantine-color-${name}-text`]: `var(--${token}-ink)`,
  [`--mantine-color-${name}-filled`]: `var(--${token})`,
  [`--mantine-color-${name}-filled-hover`]: `var(--${token}-hover)`,
  [`--mantine-color-${name}-light`]: `var(--${token}-soft)`,
  [`--mantine-color-${name}-light-hover`]: `color-mix(in srgb, var(--${token}) 18%, transparent)`,
  [`--mantine-color-${name}-light-color`]: `var(--${token}-ink)`,
  [`--mantine-color-${name}-outline`]: `var(--${token})`,
});

const scheme = {
  ...roles('accent', 'accent'),
  ...roles('danger', 'danger'),
  '--mantine-color-gray-light-hover': 'var(--hover)',
  '--mantine-color-gray-light': 'var(--sunken)',
  '--mantine-color-gray-light-color': 'var(--ink-muted)',
  '--mantine-color-white': 'var(--on-accent)',
  '--mantine-color-bright': 'var(--ink)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-error': 'var(--danger-ink)',
  '--mantine-color-success': 'var(--good-ink)',
  '--mantine-color-placeholder': 'var(--ink-faint)',
  '--mantine-color-anchor': 'var(--accent-ink)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-dimmed': 'var(--ink-muted)',
  '--mantine-color-disabled': 'var(--disabled)',
  '--mantine-color-disabled-color': 'var(--disabled-ink)',
  '--mantine-color-disabled-border': 'var(--line)',
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: scheme, dark: scheme });

const toMantine = (stored: string | null): MantineColorScheme =>
  stored === 'light' || stored === 'dark' ? stored : 'auto';

/**
 * Stores the choice as system, light or dark (docs/product/screens.md, Menu and side panel) and adopts changes of other
 * tabs. public/start.js applies it before the first paint.
 */
export function storedColorScheme(): MantineColorSchemeManager {
  let follow: ((event: StorageEvent) => void) | undefined;
  return {
    get: () => toMantine(readStored(storageKeys.theme)),
    set: (value) => writeStored(storageKeys.theme, value === 'auto' ? 'system' : value),
    clear: () => writeStored(storageKeys.theme, null),
    subscribe: (onUpdate) => {
      follow = (event) => {
        if (event.key === storageKeys.theme) onUpdate(toMantine(event.newValue));
      };
      window.addEventListener('storage', follow);
    },
    unsubscribe: () => {
      if (follow) window.removeEventListener('storage', follow);
    },
  };
}
