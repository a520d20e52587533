/** Texts of the form of one row. */
export const texts = {
  addDeal: 'Add deal',
  editDeal: 'Edit deal',
  saveDeal: 'Save',
  formKept: 'What you typed here before is back. It is not saved yet.',
  closeForm: 'Close without saving?',
  closeFormQuestion: 'What you typed here is not saved and will be gone.',
  discardForm: 'Discard what I typed',
  notEditable: 'View deal',
} as const;
