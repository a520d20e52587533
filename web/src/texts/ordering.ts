export const texts = {
  order: 'Order',
  move: (name: string) => `Move ${name}`,
  hint: 'Drag, or press Alt+Up or Alt+Down',
  moved: (name: string, place: number, total: number) => `${name} is now at place ${place} of ${total}`,
  atEnd: (name: string) => `${name} cannot be moved any further`,
  sortedOtherwise: 'The list is sorted by another column. Sort it by Order to move something.',
} as const;
