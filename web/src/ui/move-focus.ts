import type { KeyboardEvent } from 'react';

/** Moves the focus in a group of buttons by arrow keys. The group is one tab stop: others have `tabIndex` -1. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const here = buttons.findIndex((button) => button === document.activeElement);
  if (step === undefined || here < 0) return;
  event.preventDefault();
  buttons.at((here + step) % buttons.length)?.focus();
}
