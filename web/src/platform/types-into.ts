const FIELDS = 'input, textarea, select, [contenteditable]';
const isWithin = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

export const isInField = (target: EventTarget | null): boolean => isWithin(target, FIELDS);

/** Whether a letter typed here is input: in a field, or in the grid, whose cells accept it. */
export const typesInto = (target: EventTarget | null): boolean =>
  isWithin(target, `${FIELDS}, [role="grid"]`);
