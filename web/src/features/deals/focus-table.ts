/** Puts the focus into the table: what had it, such as the button of a notice, is gone. */
export const focusTable = (): void =>
  document.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
