const WORDS = [
  'deal',
  'Übergabe',
  '車',
  '😀',
  '<b>not bold</b>',
  '{{customer}}',
  '"quoted"',
  "it's",
  '=20',
  'a&b',
  '-- ',
  'From here',
  'x'.repeat(1200),
];

/** Lines that mail transport is known to alter: beginning with a dot, ending with a space, or a single dot. */
const LINES = ['.', '..', '.hidden', 'ends with a space ', '', 'From nobody'];

/** Returns a random message, including text that a careless sender would alter. */
export function messageOf(random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const many = <T>(most: number, one: () => T): T[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, one);
  const text = many(12, () => (random() < 0.4 ? pick(LINES) : many(8, () => pick(WORDS)).join(' '))).join(
    '\n',
  );
  const address = () =>
    `${pick(['sam', 'pat', 'o.neil', 'wim+mail'])}${Math.floor(random() * 1e6)}@dealer.example`;
  return {
    from_name: pick(['Kim Novak', 'Zoë, "Z"', 'Kim (sales)', '車']),
    to_addresses: many(3, address),
    cc_addresses: random() < 0.5 ? [] : many(2, address),
    subject: many(5, () => pick(WORDS.slice(0, -1)))
      .join(' ')
      .trim(),
    body_text: `Dear\n${text}\nend`,
    html: `<p>${text}</p>`,
  };
}
