/** Texts on the length of a text, the same as the server's. */
export const texts = {
  atMost: (max: number) => `Must be at most ${max} characters`,
} as const;
