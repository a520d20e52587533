/** The shortcuts of the Data Entry screen, for the list opened by `?`. */
export const texts = {
  title: 'Keyboard shortcuts',
  groups: [
    [
      'Move',
      [
        ['Arrow keys, Tab, Enter', 'To the next cell'],
        ['Home, End', 'First and last column'],
        ['Ctrl + arrow', 'To the edge'],
        ['Ctrl + Home, Ctrl + End', 'First and last cell'],
        ['Page Up, Page Down', 'A screen up or down'],
        ['Alt + N', 'New row, in a group with its value'],
        ['Alt + Page Up, Alt + Page Down', 'Previous and next rows of a large month'],
      ],
    ],
    [
      'Type',
      [
        ['Any letter or digit', 'Replace what is in the cell'],
        ['F2 or Enter', 'Change what is in the cell'],
        ['Comma, x2', 'In Items: the next item, its quantity'],
        ['Alt + Enter', 'In Items: quantities and prices'],
        ['Enter, Tab, an arrow key after typing', 'Save'],
        ['Escape', 'Cancel'],
        ['Delete', 'Clear'],
        ['Alt + M, Alt + T', 'In a conflict: keep mine, take theirs'],
        ['Alt + C, Alt + A', 'Comments of the row, its files'],
        ['Ctrl + Z, Ctrl + Y', 'Undo, redo'],
      ],
    ],
    [
      'Page of a row',
      [
        ['Space', 'Open it'],
        ['Alt + Up, Alt + Down, or K, J', 'Previous and next row'],
        ['Alt + C, Alt + A', 'Write a comment, to the files'],
        ['Alt + M, Alt + T', 'In a conflict: keep mine, take theirs'],
        ['Ctrl + Z, Ctrl + Y', 'Undo, redo'],
        ['Escape', 'Back to the table'],
      ],
    ],
    [
      'Select and copy',
      [
        ['Shift + arrow, Shift + click', 'Select cells'],
        ['Shift + Space, Ctrl + Space', 'Whole row, whole column'],
        ['Ctrl + A', 'All cells'],
        ['Ctrl + C, Ctrl + X, Ctrl + V', 'Copy, cut, paste'],
        ['Ctrl + D, Ctrl + R', 'Fill down, fill to the right'],
        ['Ctrl + Shift + Space', 'Tick the selected rows'],
        ['Ctrl + Enter', 'Send the row by email'],
        ['Shift + F10, menu key', 'Menu of the cell or the header'],
      ],
    ],
    [
      'Find',
      [
        ['Ctrl + F', 'Search'],
        ['Ctrl + Shift + L', 'Filter'],
        ['Ctrl + Shift + G', 'Group rows'],
        ['Left, Right, Enter on a group', 'Collapse, expand'],
        ['Ctrl + Left, Ctrl + Right on a group', 'Collapse and expand all groups'],
        ['Arrow down, Escape in the empty search', 'To the first row, back to the table'],
        ['Enter or F3, with Shift back', 'Next match'],
        ['Ctrl + K', 'Search and commands'],
        ['? or Ctrl + /', 'This list'],
      ],
    ],
  ],
} as const;
