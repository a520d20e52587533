export const texts = {
  title: 'Forecourt was updated',
  text: 'Reload the page to use the new version. What you typed in Data Entry is kept; save an open form first.',
  reload: 'Reload page',
} as const;
