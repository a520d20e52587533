import type { InputWrapperProps } from '@mantine/core';

/** Props of a field whose description is below it, so that fields side by side stay on one line. */
export const descriptionBelow = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
} satisfies InputWrapperProps;
