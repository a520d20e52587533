export const texts = {
  label: 'Go to a screen, a dealership, a person or a deal',
  placeholder: 'Screen, dealership, person, deal number, phone…',
  results: 'Results',
  nothing: 'Nothing found',
  nothingNext: 'Deals are found by name, number, vehicle, email or phone, from two characters on.',
  searching: 'Searching…',
  count: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  groups: {
    screens: 'Screens',
    actions: 'Actions',
    deals: 'Deals',
    dealerships: 'Dealerships',
    templates: 'Templates',
    people: 'People',
  },
  account: 'Your account',
  profile: 'Profile Settings',
  permissions: 'Permissions',
  rowsOf: 'Rows of this month',
  newTemplate: 'New template',
  statement: 'Commission statement',
  light: 'Light theme',
  dark: 'Dark theme',
  system: 'Theme of the system',
  shortcuts: 'Keyboard shortcuts',
  someone: 'A row',
} as const;

/** The shortcuts of every screen, and those of lists. Data Entry has its own list. */
export const keyTexts = {
  title: 'Keyboard shortcuts',
  everywhere: [
    ['Ctrl + K', 'Search and commands'],
    ['?', 'This list'],
    ['Escape', 'Close what is open'],
  ],
  administrators: [['Alt + D, Ctrl + `', 'Debug Panel']],
  lists: [
    ['Arrow keys', 'From row to row'],
    ['Space', 'Tick the row'],
    ['Enter', 'The first action of the row'],
    ['Alt + Up, Alt + Down', 'Move the row, where lists can be ordered'],
  ],
  groups: { everywhere: 'On every screen', lists: 'In lists' },
} as const;
