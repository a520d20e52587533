import type { InputWrapperProps } from '@mantine/core';

/** Props of a field with its description below, so that fields side by side are aligned. */
export const descriptionBelow = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
} satisfies InputWrapperProps;
