/** Widths of dialogs, which replace Mantine's (docs/product/screens.md, Dialogs and forms). */
export const dialogSizes = {
  sm: '400px',
  md: '520px',
  lg: '680px',
  xl: '840px',
  '2xl': '1040px',
} as const;

export type DialogSize = keyof typeof dialogSizes;
