export const texts = {
  tryAgain: 'Try again',
  loading: 'Loading...',
  slow: 'The server is slow. Still loading…',
  outdated: (since: string) => `You see the data of ${since}.`,
  refreshesByItself: 'They are refreshed as soon as the server responds.',
  retriesByItself: 'This is tried again by itself.',
  partMissing:
    'This part of the page could not be loaded. It appears as soon as the server responds. If it does not, reload the page.',
} as const;
