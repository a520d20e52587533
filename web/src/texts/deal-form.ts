export const texts = {
  addDeal: 'Add deal',
  saveDeal: 'Save',
  formKept: 'Your unsaved text was restored. It is not saved yet.',
} as const;
