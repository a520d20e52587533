export const texts = {
  title: 'Close without saving?',
  question: 'What you typed here is not saved and will be gone.',
  discard: 'Discard what I typed',
} as const;
