export const texts = {
  columnsNote: 'Ticked columns are shown. Pinned ones stay visible while the others scroll.',
  pin: (name: string, side: 'left' | 'right') => `Pin ${name} to the ${side}`,
  moveLeft: (name: string) => `Move ${name} to the left`,
  moveRight: (name: string) => `Move ${name} to the right`,
  resetColumns: 'Reset columns',
  density: 'Row height',
  densities: { comfortable: 'Comfortable', compact: 'Compact' },
} as const;
