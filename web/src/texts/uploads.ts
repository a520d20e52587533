export const texts = {
  attach: 'Attach files',
  dropHere: 'or drop them here',
  uploading: (name: string) => `Uploading ${name}`,
  remove: (name: string) => `Remove ${name}`,
  empty: 'The file is empty',
  fileTooLarge: (limit: string) => `A file may have at most ${limit}`,
  tooLarge: (limit: string) => `The files may have at most ${limit} together`,
  tooMany: (most: number) => `At most ${most} files can be attached`,
} as const;
