/** The colours of a deal status in one theme: the tint of a row, and background and text of the badge. */
export type StatusColors = { row: string; ground: string; ink: string; dot: string };

type Rgb = readonly [number, number, number];
type Scheme = 'light' | 'dark';

/** Background and text colour of a row (`--surface` and `--ink` of tokens.css). */
const page: Record<Scheme, { surface: Rgb; ink: Rgb }> = {
  light: { surface: [255, 255, 255], ink: [21, 32, 32] },
  dark: { surface: [28, 32, 33], ink: [228, 234, 234] },
};

export const pageColors = (scheme: Scheme): { surface: string; ink: string } => ({
  surface: text(page[scheme].surface),
  ink: text(page[scheme].ink),
});

/** The proportion of the status colour in a row and in a badge. */
const share: Record<Scheme, { row: number; ground: number }> = {
  light: { row: 0.09, ground: 0.2 },
  dark: { row: 0.12, ground: 0.26 },
};

/** WCAG AA for text. */
const MIN_CONTRAST = 4.5;

/**
 * Derives all colours from that of a status, `#rrggbb`; other values count as grey. Texts on badges and rows have a
 * contrast of at least 4.5:1 for any colour.
 */
export function statusColors(base: string, scheme: Scheme): StatusColors {
  const color = parse(base);
  const { surface, ink } = page[scheme];
  const ground = mix(surface, color, share[scheme].ground);
  const end: Rgb = scheme === 'light' ? [0, 0, 0] : [255, 255, 255];
  return {
    row: text(mix(surface, color, share[scheme].row)),
    ground: text(ground),
    ink: text(towards(color, end, (candidate) => contrast(candidate, ground) >= MIN_CONTRAST)),
    dot: text(towards(color, ink, (candidate) => contrast(candidate, surface) >= 3)),
  };
}

/** Returns the first sufficient colour between two; `to` if there is none. */
function towards(from: Rgb, to: Rgb, isEnough: (candidate: Rgb) => boolean): Rgb {
  for (let part = 0; part < 1; part += 0.04) {
    const candidate = mix(from, to, part);
    if (isEnough(candidate)) return candidate;
  }
  return to;
}

function parse(base: string): Rgb {
  if (!/^#[\da-f]{6}$/i.test(base)) return [128, 128, 128];
  const value = Number.parseInt(base.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Rounds to displayable colours, so that the computed contrast is the displayed one. */
const mix = (from: Rgb, to: Rgb, part: number): Rgb =>
  from.map((value, at) => Math.round(value + (to[at]! - value) * part)) as unknown as Rgb;

const text = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

const linear = (part: number): number => {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

const luminance = (color: Rgb): number =>
  0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2]);

/** Contrast of two colours by WCAG 2: 1 to 21. */
function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

export const contrastOf = (a: string, b: string): number => contrast(parse(a), parse(b));
