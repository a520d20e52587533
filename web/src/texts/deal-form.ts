export const texts = {
  addDeal: 'Add deal',
  saveDeal: 'Save',
  formKept: 'What you typed here before is back. It is not saved yet.',
} as const;
