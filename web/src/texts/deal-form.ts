export const texts = {
  addDeal: 'Add deal',
  editDeal: 'Edit deal',
  saveDeal: 'Save',
  formKept: 'What you typed here before is back. It is not saved yet.',
  notEditable: 'View deal',
} as const;
